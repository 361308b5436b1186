// `node scripts/write-docs.ts`: puts the made parts of the documentation in anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeParts, withParts } from './generated-docs.ts';

const docs = join(import.meta.dirname, '..', 'docs');
for (const [file, parts] of Object.entries(await madeParts())) {
  const path = join(docs, file);
  writeFileSync(path, withParts(readFileSync(path, 'utf8'), parts));
}
