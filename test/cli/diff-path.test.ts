import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CliUnderTest, cliUnderTest } from '../support/cli-under-test.ts';
import { docxOf } from '../support/documents/docx-of.ts';
import { discOf } from '../support/documents/png-of.ts';

describe('files of a workspace are compared by the command line', () => {
  let cli: CliUnderTest;
  let work: string;
  let first: string;
  const run = (...argv: readonly string[]) =>
    cli.run(argv, { cwd: work, env: { DEVLOOP_STATE_DIR: join(cli.cwd, 'state') } });
  const put = (name: string, content: Buffer | string) => writeFileSync(join(work, name), content);
  before(async () => {
    cli = await cliUnderTest();
    work = join(cli.cwd, 'work');
    mkdirSync(work);
    put('report.docx', docxOf(['A brown fox.']));
    put('disc.png', discOf([200, 0, 0]));
    put('code.js', 'one\n');
    assert.equal((await run('diff', 'code.js')).status, 5, 'there is no point yet');
    first = JSON.parse((await run('snap', '--json')).out).id;
    put('report.docx', docxOf(['A red fox.']));
    put('disc.png', discOf([0, 0, 200]));
    put('code.js', 'one\ntwo\n');
  });
  after(() => cli[Symbol.asyncDispose]());

  it('a document by its words, a text by its lines', async () => {
    assert.match((await run('diff', 'report.docx')).out, /^ {4}\| A \[-brown-\]\{\+red\+\} fox\.$/m);
    assert.match((await run('diff', 'code.js')).out, /^\+two$/m);
    const { files, patch } = JSON.parse((await run('diff', 'report.docx', '--json')).out);
    assert.deepEqual([files[0].comparison.kind, typeof patch], ['document', 'string']);
  });

  it('a picture of the difference is written, and one that is there is not overwritten unasked', async () => {
    const written = await run('diff', 'disc.png', '--picture', 'd.png');
    assert.match(written.out, /d\.png \(\d+ bytes\)\n$/);
    assert.equal(readFileSync(join(work, 'd.png')).toString('latin1', 1, 4), 'PNG');
    assert.equal((await run('diff', 'disc.png', '--picture', 'd.png')).status, 2, 'nobody is there to say yes');
    assert.equal((await run('diff', 'disc.png', '--picture', 'd.png', '--yes')).status, 0);
    assert.equal((await run('diff', 'code.js', '--picture', 'e.png')).status, 5);
  });

  it('between points that are named, and where nothing differs it says so', async () => {
    const second = JSON.parse((await run('snap', '--json')).out).id;
    put('code.js', 'other\n');
    assert.match((await run('diff', 'code.js', '--since', first, '--until', second)).out, /^\+two$/m);
    assert.equal((await run('diff', 'report.docx')).out, 'nothing differs\n');
    assert.equal((await run('diff', '../outside')).status, 2);
  });

  it('changes --stat has a line a file with how much of it differs', async () => {
    const { out } = await run('changes', first, 'now', '--stat');
    assert.match(out, /^modified +code\.js +lines \+1 -1$/m);
    assert.match(out, /^modified +disc\.png +png 100×100, 50 % of the pixels changed/m);
    assert.match(out, /^modified +report\.docx +docx, 1 changed$/m);
    const { items } = JSON.parse((await run('changes', first, 'now', '--stat', '--json')).out);
    assert.equal(items.find(({ path }: { path: string }) => path === 'report.docx').summary, 'docx, 1 changed');
  });
});
