import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bareEnvironment, ROOT } from '../support/running-server.ts';
import { inTempFolder } from '../support/temp-folder.ts';

test('the example of docs/library.md about turns runs as it stands', async () => {
  await inTempFolder((folder) => {
    const text = readFileSync(join(ROOT, 'docs/library.md'), 'utf8');
    const block = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code ?? '').find(isAboutTurns);
    const entry = pathToFileURL(join(ROOT, 'server/index.ts')).href;
    const script = join(folder, 'example.ts');
    writeFileSync(script, (block ?? '').replace("'devloop'", `'${entry}'`));
    mkdirSync(join(folder, 'work'));
    writeFileSync(join(folder, 'work/notes.txt'), 'mine\n');
    const ran = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
      cwd: join(folder, 'work'),
      encoding: 'utf8',
      env: bareEnvironment(folder, { DEVLOOP_STATE_DIR: join(folder, 'state') }),
    });
    assert.equal(ran.status, 0, ran.stderr);
    assert.match(ran.stdout, /^done\n\S+ (open|ended) my-agent \S+Z\noverwrite notes\.txt\n\S+ \[\]\n$/);
    assert.equal(readFileSync(join(folder, 'work/notes.txt'), 'utf8'), 'mine\n');
  });
});

const isAboutTurns = (code: string): boolean => code.includes('runTurn');
