import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { WorkspaceId } from '../../server/domain/point.ts';
import { mustBeAccessible } from './axe.ts';
import { attributes } from './in-page.ts';
import { type PageUnderTest, pageUnderTest } from './page-under-test.ts';

describe('the ways back of a folder on the page', () => {
  let tested: PageUnderTest;
  let root: string;
  let ws: WorkspaceId;
  let at: string;
  const file = (name: string) => join(root, name);
  before(async () => {
    tested = await pageUnderTest();
    root = join(tested.folder, 'mine');
    mkdirSync(root);
    writeFileSync(file('notes.txt'), 'keep me\n');
    ({ id: ws } = await tested.app.services.workspaces.add(root, { name: 'mine' }));
    at = `/w/${ws}`;
    await tested.app.services.workspaces.use(ws, (found) => found.takePoint({ reason: 'by hand' }));
    writeFileSync(file('notes.txt'), 'changed\n');
  });
  after(() => tested[Symbol.asyncDispose]());
  const turn = async (work: () => void) => {
    const { workspaces } = tested.app.services;
    const begun = await workspaces.beginTurn(ws, { task_id: 'T-9' });
    work();
    await workspaces.endTurn(ws, begun.turn);
    const state = () => workspaces.use(ws, async (found) => (await found.turns())[0]?.state);
    while ((await state()) !== 'ended') await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it('is restored by a path with spaces, from the plan by one click, and by others typed a line each', async () => {
    writeFileSync(file('my file.txt'), 'one\n');
    writeFileSync(file('other.txt'), 'one\n');
    await turn(() => {
      writeFileSync(file('my file.txt'), 'two\n');
      writeFileSync(file('other.txt'), 'two\n');
    });
    const { page, faults, close } = await tested.open(at);
    await page.locator('[data-turn] [data-state=ended]').first().waitFor();
    await page.getByRole('link', { name: 'Undo the last turn' }).click();
    await page.getByRole('link', { name: 'Only this one: my file.txt' }).click();
    await page.waitForURL(/only=/);
    await page.locator('[data-list=overwrites] strong', { hasText: '1' }).waitFor();
    assert.equal(await page.getByLabel('Only these paths').inputValue(), 'my file.txt');
    await page.getByLabel('Only these paths').fill('my file.txt\nother.txt');
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.locator('[data-list=overwrites] strong', { hasText: '2' }).waitFor();
    assert.deepEqual(await attributes(page.locator('[data-list=overwrites][data-path]'), 'data-path'), [
      'my file.txt',
      'other.txt',
    ]);
    await mustBeAccessible(page, 'a plan for single paths');
    await page.getByRole('button', { name: 'Apply this plan' }).click();
    await page.locator('[data-report]').waitFor();
    assert.equal(readFileSync(file('my file.txt'), 'utf8'), 'one\n');
    assert.deepEqual(faults, []);
    await close();
  });

  it('is restored into a new folder when it is gone itself', async () => {
    const { page, faults, close } = await tested.open(at);
    await page.locator('.point a', { hasText: 'by hand' }).click();
    await page.locator('.diff-files li').first().waitFor();
    renameSync(root, `${root}.away`);
    try {
      await page.reload();
      await page.locator('[data-code=not_found]').waitFor();
      await mustBeAccessible(page, 'a folder that is gone');
      await page.getByRole('link', { name: 'Restore into a new folder' }).click();
      const again = join(tested.folder, 'again');
      await page.getByLabel('New folder').fill(again);
      await page.getByRole('button', { name: 'Plan', exact: true }).click();
      await page.getByRole('button', { name: 'Apply this plan' }).click();
      await page.locator('[data-report]').waitFor();
      assert.equal(readFileSync(join(again, 'notes.txt'), 'utf8'), 'keep me\n');
    } finally {
      renameSync(`${root}.away`, root);
    }
    assert.deepEqual(faults, []);
    await close();
  });

  it('has more points than a page holds: older ones come when they are asked for, each once', async () => {
    const { workspaces } = tested.app.services;
    for (let n = 0; n < 110; n++) await workspaces.use(ws, (found) => found.takePoint({ reason: `point ${n}` }));
    const { page, faults, close } = await tested.open(at);
    await page.locator('.time-line > li').first().waitFor();
    assert.equal(await page.getByText('by hand', { exact: true }).count(), 0, 'it is older than the page');
    await page.getByRole('button', { name: 'Show older ones' }).click();
    await page.getByText('by hand', { exact: true }).waitFor();
    const all = await workspaces.use(ws, async (found) => found.points());
    const shown = await attributes(page.locator('.point'), 'data-point');
    assert.deepEqual([...shown].sort(), all.map(({ id }) => String(id)).sort());
    await mustBeAccessible(page, 'a long time line');
    assert.deepEqual(faults, []);
    await close();
  });
});
