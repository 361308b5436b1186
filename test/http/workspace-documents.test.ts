import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { docxOf } from '../support/documents/docx-of.ts';
import { pdfOf } from '../support/documents/pdf-of.ts';
import { discOf } from '../support/documents/png-of.ts';
import { assertProblem } from '../support/http-under-test.ts';
import { type WorkspacesUnderTest, workspacesUnderTest } from '../support/workspaces-under-test.ts';

describe('documents and pictures over HTTP', () => {
  let lab: WorkspacesUnderTest;
  let point: string;
  const put = (name: string, content: Buffer) => writeFileSync(join(lab.root, name), content);
  const asked = (path: string, headers = {}) =>
    lab.http.send('GET', `/api/workspaces/${lab.ws}/checkpoints/${path}`, { headers });
  const drawn = async (query: string) => {
    const reply = await asked(`${point}/preview?${query}`);
    return [reply.status, reply.headers['content-type'], reply.text.slice(1, 4)];
  };
  const PNG = [200, 'image/png', 'PNG'];
  before(async () => {
    lab = await workspacesUnderTest();
    put('report.docx', docxOf(['A brown fox.']));
    put('plan.pdf', pdfOf([['one'], ['two']]));
    put('disc.png', discOf([200, 0, 0]));
    put('gone.png', discOf([0, 200, 0]));
    put('moves.pdf', pdfOf([['moves']]));
    point = (await lab.at(201, 'POST /checkpoints', { reason: 'before' })).body.id;
    put('report.docx', docxOf(['A red fox.']));
    put('plan.pdf', pdfOf([['one'], ['three']]));
    put('disc.png', discOf([0, 0, 200]));
    put('broken.docx', docxOf(['x']).subarray(0, 100));
  });
  after(() => lab[Symbol.asyncDispose]());

  it('the JSON of a difference has words, pages and pictures, by its schema', async () => {
    const { body } = await lab.at(200, `GET /checkpoints/${point}/diff`, undefined, { accept: 'application/json' });
    const found = new Map(body.files.map((file: { path: string }) => [file.path, file]));
    // biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions that read them
    const of = (path: string): any => found.get(path);
    assert.deepEqual(of('report.docx').comparison.sections[0].blocks[0].words, [
      { change: 'same', text: 'A ' },
      { change: 'deleted', text: 'brown' },
      { change: 'added', text: 'red' },
      { change: 'same', text: ' fox.' },
    ]);
    assert.deepEqual([of('report.docx').additions, of('report.docx').opaque], [1, undefined]);
    assert.deepEqual(of('plan.pdf').comparison.sections[0].number, { before: 2, after: 2 });
    assert.deepEqual([of('disc.png').comparison.difference.hash_distance, of('disc.png').opaque], [0, 'binary']);
    assert.deepEqual([of('broken.docx').comparison.why, of('broken.docx').opaque], ['damaged', 'binary']);
  });

  it('as text it is read by people, and no line of it is taken for a patch', async () => {
    const { text } = await asked(`${point}/diff?path=report.docx`, { accept: 'text/x-diff' });
    assert.match(
      text,
      /^modified report\.docx: docx, 1 changed\n {2}Body\n {4}paragraph 1\n {4}\| A \[-brown-\]\{\+red\+\} fox\.\n/,
    );
  });

  it('a picture of the point, of either side and of how they differ is a PNG', async () => {
    for (const query of [
      'path=plan.pdf',
      'path=plan.pdf&page=2&show=difference',
      'path=disc.png&show=after',
      'path=disc.png&show=difference',
      'path=gone.png',
    ]) {
      assert.deepEqual(await drawn(query), PNG, query);
    }
  });

  it('a file that was moved is drawn beside what it was', async () => {
    put('moved.pdf', pdfOf([['moves']]));
    const { rmSync } = await import('node:fs');
    rmSync(join(lab.root, 'moves.pdf'));
    assert.deepEqual(await drawn('path=moved.pdf&show=difference'), PNG);
  });

  it('what has no picture, no such page or no such side is not found, and a page must be a number', async () => {
    for (const query of [
      'path=none.png',
      'path=plan.pdf&page=3',
      'path=broken.docx&show=after',
      'path=broken.docx&show=difference',
    ]) {
      assertProblem(await asked(`${point}/preview?${query}`), 404, 'not_found');
    }
    assertProblem(await asked(`${point}/preview?path=plan.pdf&page=0`), 422, 'validation_failed');
    assertProblem(await asked(`${point}/preview`), 422, 'path_refused');
  });
});
