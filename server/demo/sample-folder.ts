import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../io/io-error.ts';
import { sampleDocument } from './sample-document.ts';
import { sampleRepository } from './sample-repository.ts';

const LARGE_BYTES = 12 << 20;

/** Makes a folder as people have them: code, a repository inside, a document, names of every kind, a large file. */
export async function makeSampleFolder(root: string): Promise<void> {
  for (const folder of ['src/parts', 'docs', 'empty', 'data', 'node_modules/left-pad']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(root, name), content);
  put('src/app.js', "import { part } from './parts/part.js';\npart();\n");
  put('src/parts/part.js', "export const part = () => console.log('part');\n");
  put('build.sh', '#!/bin/sh\necho built\n');
  put('docs/offer.docx', await sampleDocument('The offer, first version'));
  put('data/measurements.bin', largeContent());
  put('node_modules/left-pad/index.js', 'module.exports = 1;\n');
  put('.gitignore', 'node_modules/\n');
  put('README', 'A folder\n');
  symlinkSync('src/app.js', join(root, 'latest'));
  for (const name of ODD_NAMES) putOdd(root, name);
  await sampleRepository(join(root, 'vendor/lib'), { name: 'lib.c', text: 'int lib(void) { return 1; }\n' });
}

/** Does to it what an agent may do: edits, deletes, swaps of a file and a folder, other modes, links and names. */
export async function editSampleFolder(root: string): Promise<void> {
  const at = (name: string) => join(root, name);
  writeFileSync(at('src/app.js'), "console.log('rewritten');\n");
  writeFileSync(at('docs/offer.docx'), await sampleDocument('The offer, second version'));
  writeFileSync(at('vendor/lib/lib.c'), 'int lib(void) { return 2; }\n');
  writeFileSync(at('vendor/lib/new.c'), 'int more;\n');
  rmSync(at('src/parts'), { recursive: true });
  writeFileSync(at('src/parts'), 'a file where a folder was\n');
  rmSync(at('README'));
  mkdirSync(at('README'));
  writeFileSync(at('README/index.md'), 'a folder where a file was\n');
  chmodSync(at('build.sh'), 0o700);
  rmSync(at('latest'));
  symlinkSync('docs', at('latest'));
  rmSync(at('empty'), { recursive: true });
  renameSync(at('new\nline'), at('renamed'));
  const large = openSync(at('data/measurements.bin'), 'r+');
  writeSync(large, 'one changed word', LARGE_BYTES / 2);
  closeSync(large);
  writeFileSync(at('node_modules/left-pad/index.js'), 'module.exports = 2;\n');
}

/** Bytes, one a character: a newline, quotes, a leading dash, a blank at the end, another script, no UTF-8 at all. */
const ODD_NAMES = ['new\nline', 'a "quoted" name', '-rf', 'blank ', 'f\xc3\xbcnf \xe4\xba\x94', 'latin \xff\xfe name'];

function putOdd(root: string, name: string): void {
  try {
    writeFileSync(Buffer.from(`${root}/${name}`, 'latin1'), `content of ${JSON.stringify(name)}\n`);
  } catch (error) {
    // A file system that takes only UTF-8 has no such names to lose.
    if (!hasCode(error, 'EILSEQ', 'EINVAL')) throw error;
  }
}

function largeContent(): Buffer {
  const content = Buffer.alloc(LARGE_BYTES);
  for (let at = 0; at < content.length; at += 4096) content.writeUInt32LE(at, at);
  return content;
}
