import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { recordedRequirement } from '../support/demo-project.ts';
import { mustBeAccessible } from './axe.ts';
import { inPage } from './in-page.ts';
import { type PageUnderTest, pageUnderTest } from './page-under-test.ts';

describe('the list of projects and the form for a new one', () => {
  let tested: PageUnderTest;
  before(async () => {
    tested = await pageUnderTest();
  });
  after(() => tested[Symbol.asyncDispose]());

  it('lets in by the link that serve prints, once, and keeps the key out of the address', async () => {
    const context = await tested.browser.newContext();
    const page = await context.newPage();
    const link = tested.link();
    await page.goto(link);
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    assert.equal(await inPage(page, 'location.hash'), '#/');
    assert.deepEqual(await context.cookies(), []);
    const another = await (await tested.browser.newContext()).newPage();
    await another.goto(link);
    await another.locator('[data-code=unauthorized]').waitFor();
    await mustBeAccessible(another, 'without access');
    await another.context().close();
    await context.close();
  });

  it('names the next step where there is no project, creates one from the form, and shows its state live', async () => {
    const list = await tested.open('/');
    await list.page.getByText('No project yet').waitFor();
    await mustBeAccessible(list.page, 'no projects');
    const form = await tested.open('/new');
    await form.page.getByLabel('What is to be built').fill(recordedRequirement('todo'));
    await form.page.getByLabel('Name (optional)').fill('To-dos');
    await mustBeAccessible(form.page, 'new project');
    await form.page.getByRole('button', { name: 'Create only' }).click();
    await form.page.getByRole('heading', { name: 'To-dos' }).waitFor();
    const [project] = await tested.app.loop.list();
    assert.ok(project);
    assert.equal(project.requirement, recordedRequirement('todo'));
    const row = list.page.locator(`tr[data-pid="${project.pid}"]`);
    await row.waitFor();
    assert.equal(await row.locator('.badge').getAttribute('data-state'), 'created');
    await form.page.getByRole('button', { name: 'Run' }).click();
    await list.page.locator(`tr[data-pid="${project.pid}"] [data-state=shipped]`).waitFor({ timeout: 60_000 });
    await mustBeAccessible(list.page, 'projects');
    assert.deepEqual([...list.faults, ...form.faults], []);
    await list.close();
    await form.close();
  });

  it('keeps the pages that were shown while projects come and change, and says how it stands to the server', async () => {
    for (let n = 0; n < 105; n++)
      await tested.app.loop.create({ requirement: `one of many ${n}`, name: 'x'.repeat(n + 1) });
    const all = (await tested.app.loop.list()).length;
    const { page, faults, close } = await tested.open('/');
    const rows = page.locator('tr[data-pid]');
    await page.getByRole('button', { name: 'Show more' }).click();
    await rows.nth(all - 1).waitFor();
    assert.equal(await rows.count(), all);
    await page.locator('.pill[data-link=live]').waitFor();
    const { pid } = await tested.app.loop.create({ requirement: 'a late one' });
    await page.locator(`tr[data-pid="${pid}"]`).waitFor();
    assert.equal(await rows.count(), all + 1, 'nothing that was shown has gone');
    await mustBeAccessible(page, 'many projects');
    assert.deepEqual(faults, []);
    await close();
  });

  it('says what does not fit in the form, and asks no other host', async () => {
    const { page, faults, close } = await tested.open('/new');
    await page.getByLabel('What is to be built').fill('x');
    await page.getByLabel('Group (optional)').fill('No Such Group!');
    await page.getByRole('button', { name: 'Create and run' }).click();
    await page.locator('[data-code=validation_failed]').waitFor();
    await mustBeAccessible(page, 'a refused form');
    assert.deepEqual(faults, []);
    await close();
  });
});
