import assert from 'node:assert/strict';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { CallProgress } from '../../../server/agents/driver.ts';
import { projectJail } from '../../../server/agents/tools/project-jail.ts';
import { toolBox } from '../../../server/agents/tools/tool-box.ts';
import { parseCallId, parseUnitId } from '../../../server/domain/ids.ts';
import type { UnitReport } from '../../../server/domain/verdicts.ts';
import { roleScope } from '../../../server/domain/write-scope.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const CALL = parseCallId('call-1');
const REPORT: UnitReport = {
  outcome: 'red',
  runner: 'node:test',
  command: ['node', '--test'],
  exit_code: 1,
  signal: null,
  duration_ms: 123,
  passed: 1,
  failed: 2,
  skipped: 0,
  tests: [
    { id: 'b', status: 'failed', message: 'two lines\nof words', duration_ms: 3 },
    { id: 'a', status: 'failed' },
    { id: 'c', status: 'passed', duration_ms: 4 },
  ],
  missing_tests: ['d'],
  output_tail: 'raw output with /a/path and 12ms',
};

function bench(t: TestContext, runTests?: () => Promise<UnitReport>) {
  const folder = scratchFolder(t);
  const root = join(folder, 'project');
  const stage = join(root, 'agent-state/calls/call-1');
  mkdirSync(join(stage, 'out'), { recursive: true });
  const written: number[] = [];
  const progress: CallProgress = {
    said: () => {},
    note: () => {},
    heard: () => {},
    wrote: (bytes) => written.push(bytes),
    spent: () => {},
    working: (work) => work(),
  };
  const scope = roleScope('coder', { call: CALL, unit: parseUnitId('store') });
  const jail = projectJail({ root, call: CALL, scope, stage });
  const box = toolBox({ jail, progress, ...(runTests === undefined ? {} : { runTests }) });
  let calls = 0;
  return {
    root,
    folder,
    box,
    written,
    put: (path: string, content: string | Uint8Array) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    answer: async (name: string, args: unknown) => {
      calls += 1;
      return box.use({ id: `call_${calls}`, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) });
    },
  };
}

describe('write_file', () => {
  it('makes and replaces files in scope, and counts their bytes', async (t) => {
    const { root, answer, written } = bench(t);
    const path = 'units/store/code/lib/a.mjs';
    const first = await answer('write_file', { path, content: 'é' });
    const again = await answer('write_file', { path: `./${path}`, content: 'two' });
    assert.deepEqual(first, { text: `wrote ${path}` });
    assert.deepEqual(again, { text: `wrote ./${path}` });
    assert.equal(readFileSync(join(root, path), 'utf8'), 'two');
    assert.deepEqual(written, [2, 3]);
    assert.deepEqual(readdirSync(join(root, 'units/store/code/lib')), ['a.mjs']);
  });

  it('answers the same whether the file was there or not', async (t) => {
    const { answer, put } = bench(t);
    const args = { path: 'units/store/code/a', content: 'x' };
    const fresh = await answer('write_file', args);
    put('units/store/code/a', 'left over');
    assert.deepEqual(await answer('write_file', args), fresh);
  });

  it('writes nothing outside of its scope', async (t) => {
    const { root, folder, answer, written } = bench(t);
    for (const path of [
      'units/store/tests/a',
      'units/api/code/a',
      'units/store/code',
      'units/store/codex/a',
      'prd/prd.md',
      'project.json',
      'timeline.ndjson',
      '.git/config',
      'units/store/code/.git/config',
      'units/store/code/../tests/a',
      '../outside',
      join(folder, 'outside'),
      'Units/store/code/a',
      'agent-state/calls/call-2/out/result.json',
    ])
      assert.match((await answer('write_file', { path, content: 'x' })).text, /^error: /, path);
    assert.deepEqual(readdirSync(root), ['agent-state']);
    assert.deepEqual(readdirSync(folder), ['project']);
    assert.deepEqual(written, []);
  });

  it('may leave a result where the server looks for it', async (t) => {
    const { root, answer } = bench(t);
    const path = 'agent-state/calls/call-1/out/result.json';
    assert.equal((await answer('write_file', { path, content: '{}' })).text, `wrote ${path}`);
    assert.equal(readFileSync(join(root, path), 'utf8'), '{}');
  });

  it('replaces a link instead of following it, and goes through no linked folder', async (t) => {
    const { root, folder, answer } = bench(t);
    mkdirSync(join(root, 'units/store/code'), { recursive: true });
    mkdirSync(join(folder, 'outside'));
    writeFileSync(join(folder, 'secret'), 'secret');
    symlinkSync(join(folder, 'secret'), join(root, 'units/store/code/link'));
    symlinkSync(join(folder, 'outside'), join(root, 'units/store/code/out'));
    await answer('write_file', { path: 'units/store/code/link', content: 'mine' });
    const through = await answer('write_file', { path: 'units/store/code/out/a', content: 'mine' });
    assert.match(through.text, /^error: .* leads through a link/);
    assert.equal(readFileSync(join(folder, 'secret'), 'utf8'), 'secret');
    assert.deepEqual(readdirSync(join(folder, 'outside')), []);
  });

  it('leaves the other name of a hard link as it was', async (t) => {
    const { root, folder, answer } = bench(t);
    mkdirSync(join(root, 'units/store/code'), { recursive: true });
    writeFileSync(join(folder, 'other'), 'other');
    linkSync(join(folder, 'other'), join(root, 'units/store/code/hard'));
    await answer('write_file', { path: 'units/store/code/hard', content: 'mine' });
    assert.equal(readFileSync(join(folder, 'other'), 'utf8'), 'other');
  });

  it('says why a folder or an endless name cannot be written', async (t) => {
    const { put, answer } = bench(t);
    put('units/store/code/sub/a', 'x');
    assert.match(
      (await answer('write_file', { path: 'units/store/code/sub', content: '' })).text,
      /^error: .*is no file/,
    );
    assert.match((await answer('write_file', { path: 'units/store/code/sub/a/b', content: '' })).text, /^error: /);
    const long = `units/store/code/${'n'.repeat(300)}`;
    assert.match((await answer('write_file', { path: long, content: '' })).text, /too long a name/);
  });
});

describe('edit_file', () => {
  it('replaces what is there exactly once, to the letter', async (t) => {
    const { root, put, answer } = bench(t);
    put('units/store/code/a', 'one\ntwo\nthree');
    const edited = await answer('edit_file', { path: 'units/store/code/a', old_text: 'two', new_text: '$& $1' });
    assert.equal(edited.text, 'changed line 2 of units/store/code/a');
    assert.equal(readFileSync(join(root, 'units/store/code/a'), 'utf8'), 'one\n$& $1\nthree');
  });

  it('changes nothing where the text is absent or there more than once', async (t) => {
    const { root, put, answer } = bench(t);
    put('units/store/code/a', 'x y x');
    const edit = async (old_text: string) =>
      (await answer('edit_file', { path: 'units/store/code/a', old_text, new_text: 'z' })).text;
    assert.match(await edit('q'), /^error: old_text is not in/);
    assert.match(await edit('x'), /^error: old_text is 2 times in/);
    assert.equal(readFileSync(join(root, 'units/store/code/a'), 'utf8'), 'x y x');
  });

  it('refuses what is absent, not text, or out of scope', async (t) => {
    const { put, answer } = bench(t);
    put('units/store/code/binary', Uint8Array.of(1, 0, 2));
    put('prd/prd.md', 'text');
    const edit = async (path: string) => (await answer('edit_file', { path, old_text: 'text', new_text: 'x' })).text;
    assert.match(await edit('units/store/code/none'), /does not exist/);
    assert.match(await edit('units/store/code/binary'), /not UTF-8 text/);
    assert.match(await edit('prd/prd.md'), /outside of your write scope/);
  });
});

describe('read_file', () => {
  it('reads a file or a part of it', async (t) => {
    const { put, answer } = bench(t);
    put('prd/prd.md', 'a\nb\nc\n');
    assert.equal((await answer('read_file', { path: 'prd/prd.md' })).text, 'a\nb\nc\n');
    assert.equal((await answer('read_file', { path: 'prd/prd.md', start_line: 2, lines: 1 })).text, 'b');
  });

  it('cuts a long file and says how to go on', async (t) => {
    const { put, answer } = bench(t);
    put('prd/long.md', `${'x'.repeat(999)}\n`.repeat(100));
    const { text } = await answer('read_file', { path: 'prd/long.md' });
    assert.match(text, /cut here: read on with start_line 61 \(101 lines in all\)$/);
    assert.ok(text.length < 61_000);
  });

  it("reads neither the server's own nor through links nor outside", async (t) => {
    const { root, folder, put, answer } = bench(t);
    put('timeline.ndjson', 'ledger');
    put('.git/config', 'config');
    writeFileSync(join(folder, 'secret'), 'secret');
    symlinkSync(join(folder, 'secret'), join(root, 'link'));
    symlinkSync('.git', join(root, 'g'));
    for (const path of ['timeline.ndjson', '.git/config', 'link', 'g/config', '../secret', join(folder, 'secret')]) {
      const { text } = await answer('read_file', { path });
      assert.match(text, /^error: /, path);
      assert.ok(!text.includes('leak') && !/\bsecret$|ledger$/.test(text));
    }
  });

  it('refuses what is huge, binary, a folder, or absent, and waits for no pipe', async (t) => {
    const { root, put, answer } = bench(t);
    put('prd/huge', 'x');
    truncateSync(join(root, 'prd/huge'), 3_000_000);
    put('prd/binary', Uint8Array.of(0xff, 0xfe));
    const read = async (path: string) => (await answer('read_file', { path })).text;
    assert.match(await read('prd/huge'), /too large/);
    assert.match(await read('prd/binary'), /not UTF-8 text \(2 bytes\)/);
    assert.match(await read('prd'), /no file/);
    assert.match(await read('nothing'), /does not exist/);
    assert.match(await read('.'), /^error: /);
  });
});

describe('list_files and search', () => {
  it('name files in order, without links, ledgers and git', async (t) => {
    const { root, put, answer } = bench(t);
    for (const path of ['b', 'a/z', 'a/b', 'timeline.ndjson', '.git/config', 'units/x/.git/HEAD', '.gitignore'])
      put(path, 'word');
    symlinkSync('b', join(root, 'link'));
    assert.equal((await answer('list_files', {})).text, '.gitignore\na/b\na/z\nb');
    assert.equal((await answer('list_files', { path: 'a' })).text, 'a/b\na/z');
    assert.equal(
      (await answer('search', { text: 'word' })).text,
      '.gitignore:1: word\na/b:1: word\na/z:1: word\nb:1: word',
    );
  });

  it('find text as it is, not as a pattern', async (t) => {
    const { put, answer } = bench(t);
    put('prd/a', 'one.two\noneXtwo\nONE.TWO');
    assert.equal((await answer('search', { text: 'one.two' })).text, 'prd/a:1: one.two');
    assert.equal(
      (await answer('search', { text: 'one.two', ignore_case: true, path: 'prd' })).text,
      'prd/a:1: one.two\nprd/a:3: ONE.TWO',
    );
    assert.equal((await answer('search', { text: 'three' })).text, 'no line matches');
  });

  it('are bounded', async (t) => {
    const { put, answer } = bench(t);
    for (let i = 0; i < 2005; i++) put(`many/${i}`, 'w');
    assert.match((await answer('list_files', {})).text, /… more than 2000 files: list a folder below$/);
    assert.match((await answer('search', { text: 'w' })).text, /… more lines match$/);
  });

  it('go into no linked folder', async (t) => {
    const { root, folder, answer } = bench(t);
    mkdirSync(join(folder, 'outside'));
    writeFileSync(join(folder, 'outside/x'), 'word');
    symlinkSync(join(folder, 'outside'), join(root, 'out'));
    assert.match((await answer('list_files', { path: 'out' })).text, /does not exist/);
    assert.equal((await answer('search', { text: 'word' })).text, 'no line matches');
    assert.equal((await answer('list_files', { path: '.' })).text, 'no files');
  });
});

describe('run_tests', () => {
  it('tells the parsed verdict the same each time, and the raw output aside', async (t) => {
    const { answer } = bench(t, async () => REPORT);
    assert.deepEqual(await answer('run_tests', {}), {
      text: 'outcome: red\n1 passed, 2 failed, 0 skipped\nfailed: a\nfailed: b\n  two lines\n  of words\npromised and not found: d',
      aside: 'The end of the output:\nraw output with /a/path and 12ms',
    });
  });

  it('is offered only where the call has tests to run', (t) => {
    const names = (box: ReturnType<typeof bench>['box']) => box.specs.map(({ name }) => name);
    assert.ok(!names(bench(t).box).includes('run_tests'));
    assert.ok(names(bench(t, async () => REPORT).box).includes('run_tests'));
  });
});

describe('a tool call', () => {
  it('that is wrong is answered, and does nothing', async (t) => {
    const { root, answer } = bench(t);
    assert.equal((await answer('git', {})).text, 'error: there is no tool "git"');
    assert.match((await answer('write_file', '{"path": "units/')).text, /^error: the arguments are not JSON/);
    assert.match((await answer('write_file', { path: 1 })).text, /path: Invalid input.*content: Invalid input/);
    assert.match(
      (await answer('write_file', { path: 'units/store/code/a', content: '', mode: 7 })).text,
      /Unrecognized key/,
    );
    assert.equal(existsSync(join(root, 'units')), false);
  });

  it('is described by a JSON Schema without a dialect', (t) => {
    for (const { parameters } of bench(t).box.specs) {
      assert.equal(parameters.type, 'object');
      assert.equal(parameters.additionalProperties, false);
      assert.equal('$schema' in parameters, false);
    }
  });
});
