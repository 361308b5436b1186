import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type App, openApp } from '../../server/app.ts';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import { DEVLOOP } from '../../server/domain/roles.ts';
import { systemClock } from '../../server/io/clock.ts';
import { createLogger } from '../../server/io/logger.ts';
import { TEMPLATES } from '../support/agents-lab.ts';
import { gitIn } from '../support/demo-project.ts';
import { bareEnvironment } from '../support/running-server.ts';

const TOKEN = 'archive-token-0123456789';
const FILES: Readonly<Record<string, Uint8Array | string>> = {
  'plain.txt': 'plain\n',
  empty: '',
  '待办/清单 列表.md': '# 待办事项\n',
  'with  spaces /inner space.txt': 'spaces',
  'quote"double.txt': 'd',
  "quote'single.txt": 's',
  'line\nbreak\tand tab.txt': 'breaks',
  '-dash --flag': 'dash',
  'back\\slash*?[x].txt': 'glob',
  'crlf.txt': 'a\r\nb\r\n',
  'binary.bin': createHash('shake256', { outputLength: 1_500_000 }).update('archive').digest(),
  'run.sh': '#!/bin/sh\necho ran\n',
  [`${'deep/'.repeat(20)}file`]: 'deep',
  [`${'n'.repeat(200)}.txt`]: 'long name',
};
const UNPACK = {
  zip: { test: ['unzip', '-tqq', '-^'], unpack: ['unzip', '-q', '-^'] },
  tar: { test: ['tar', '-tf'], unpack: ['tar', '-xf'] },
  'tar.gz': { test: ['tar', '-tzf'], unpack: ['tar', '-xzf'] },
} as const;

describe('an archive over HTTP, taken by other people’s programs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'devloop-archives-'));
  let app: App;
  let url: string;
  let close: () => Promise<void>;
  let clone: string;
  before(async () => {
    app = await openApp({
      dataDir: join(folder, 'data'),
      templates: TEMPLATES,
      log: createLogger({ level: 'error', clock: systemClock, write: (line) => process.stderr.write(line) }),
      sandbox: 'off',
      path: process.env.PATH ?? '',
      team: { default: { driver: 'recorded' } },
      maxFileBytes: 50_000_000,
      secret: () => undefined,
      onLost: () => assert.fail('the data folder was lost'),
    });
    const { pid } = await app.loop.create({ requirement: '待办事项 "list"' });
    const { path } = await app.loop.project(pid);
    makeFiles(join(path, 'prd'));
    await app.vault.commit(pid, {
      kind: 'wip',
      subject: 'odd names',
      author: DEVLOOP,
      trailers: [],
      files: [bytePathFromText('prd/**')],
      key: 'odd',
      onEmpty: 'throw',
    });
    const http = app.server({ token: TOKEN, version: '0.0.0' });
    const listening = await http.listen({ host: '127.0.0.1', port: 0 });
    url = `${listening.url}/api/devloop/projects/${pid}/archive`;
    close = () => http.close(0);
    clone = join(folder, 'clone');
    gitIn(folder, folder)('clone', '--quiet', path, 'clone');
  });
  after(async () => {
    await close();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [format, { test, unpack }] of Object.entries(UNPACK)) {
    it(`${format}: the program finds it whole, and what it unpacks is what git has, byte for byte`, async () => {
      const file = join(folder, `whole.${format}`);
      const answer = await fetch(`${url}?format=${format}`, { headers: { authorization: `Bearer ${TOKEN}` } });
      assert.equal(answer.status, 200);
      writeFileSync(file, new Uint8Array(await answer.arrayBuffer()));
      run([...test, file], folder);
      const out = join(folder, `out.${format}`);
      mkdirSync(out);
      run([...unpack, file], out);
      run(['diff', '-r', '--no-dereference', '--exclude=.git', clone, out], folder);
      assert.deepEqual(entriesOf(out), entriesOf(clone));
      assert.ok(entriesOf(out).includes('l 777 plain.txt prd/link'));
      assert.ok(entriesOf(out).some((line) => /^f 7.5 {2}prd\/run\.sh$/.test(line)));
      for (const [name, content] of Object.entries(FILES))
        assert.deepEqual(readFileSync(join(out, 'prd', name)), Buffer.from(content), name);
    });
  }
});

function makeFiles(root: string): void {
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  chmodSync(join(root, 'run.sh'), 0o755);
  symlinkSync('plain.txt', join(root, 'link'));
  symlinkSync('待办', join(root, 'folder link'));
  symlinkSync('no/such target', join(root, 'dangling'));
}

/** Kind, mode, where a link leads, and name of each entry; of modes only what git keeps. */
function entriesOf(root: string): readonly string[] {
  const found = run(
    ['find', '.', '-name', '.git', '-prune', '-o', '-type', 'd', '-o', '-printf', '%y %m %l %P\\0'],
    root,
  );
  return found
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => line.replace(/^f (\d)\d\d/, (_all, owner: string) => `f ${owner}${owner === '7' ? '55' : '44'}`))
    .sort();
}

function run([program = '', ...argv]: readonly string[], cwd: string): string {
  return execFileSync(program, argv, { cwd, encoding: 'utf8', env: { ...bareEnvironment(cwd), LC_ALL: 'C.UTF-8' } });
}
