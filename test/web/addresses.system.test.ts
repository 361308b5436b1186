import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { mustBeAccessible } from './axe.ts';
import { demoShipped } from './demo-shipped.ts';
import { goTo, inPage } from './in-page.ts';
import { mustSettle } from './must-fit.ts';
import { type PageUnderTest, pageUnderTest } from './page-under-test.ts';

describe('addresses of the page', () => {
  let tested: PageUnderTest;
  let at: string;
  before(async () => {
    tested = await pageUnderTest();
    const { pid } = await demoShipped(tested);
    at = `/p/${pid}`;
  });
  after(() => tested[Symbol.asyncDispose]());

  it('that name nothing say so, and where to go on, and are accessible', async () => {
    const { page, faults, close } = await tested.open('/');
    const nowhere = 'There is nothing at this address.';
    for (const [place, said] of [
      ['/nowhere/x', nowhere],
      ['/p', nowhere],
      ['/p/none-such', 'There is no such project'],
      ['/p/%E0%A4%A/x', 'There is no such project'],
      ['/p/..%2f..%2fetc', 'There is no such project'],
      [`${at}/constructor`, nowhere],
      [`${at}/toString`, nowhere],
      [`${at}/__proto__`, nowhere],
      [`${at}/units/none`, nowhere],
      [`${at}/runs/none`, 'There is no run of this name'],
      [`${at}/history/no-such`, 'There is no such revision'],
      [`${at}/compare?from=%ff&to=HEAD`, 'This cannot be a revision'],
      [`${at}/files?ref=no-such`, 'There is no such revision'],
      [`${at}/files?file=../../x`, 'not a relative path'],
      ['/w/none', 'no workspace of this name'],
      ['/w/constructor', 'no workspace of this name'],
    ] as const) {
      await goTo(page, `#${place}`);
      await page.getByText(said).waitFor();
      assert.ok((await page.getByRole('main').getByRole('link').count()) > 0, `${place} leads on`);
      await mustBeAccessible(page, place);
    }
    assert.deepEqual(faults, []);
    await close();
  });

  it('name the tab, begin at the top, keep the focus in sight, and lead back and forward to what was shown', async () => {
    const { page, faults, close } = await tested.open('/', { viewport: { width: 900, height: 400 } });
    await page.locator('tr[data-pid] a').first().click();
    await page.locator('.tabs').waitFor();
    assert.equal(await inPage(page, 'document.activeElement.id'), 'main', 'what had the focus is gone');
    const title = () => page.title();
    assert.match(await title(), /^Overview · A to-do list service.* · DevLoop$/);
    await page.getByRole('link', { name: 'All events' }).click();
    await page.locator('.virtual').waitFor();
    assert.match(await title(), /^Events · /);
    assert.equal(await inPage(page, 'scrollY'), 0, 'a new view is read from its beginning');
    await page.goBack();
    await page.locator('[data-node=end]').waitFor();
    assert.match(await title(), /^Overview · /);
    await page.goForward();
    await page.locator('.virtual').waitFor();
    await goTo(page, '#/w');
    await page.getByRole('heading', { name: 'Workspaces' }).waitFor();
    assert.equal(await title(), 'Workspaces · DevLoop');
    assert.deepEqual(faults, []);
    await close();
  });

  it('keep filter, file and layout through what is opened and closed', async () => {
    const { page, faults, close } = await tested.open(`${at}/history?author=coder@`);
    await page.locator('.commit a').first().click();
    await page.getByRole('link', { name: 'Close' }).click();
    assert.match(page.url(), /author=coder/);
    await goTo(page, `#${at}/runs?role=coder`);
    await page.locator('tr[data-id] a.title').first().click();
    await page.locator('.detail').waitFor();
    await page.getByRole('link', { name: 'Close' }).click();
    assert.match(page.url(), /role=coder/);
    await goTo(page, `#${at}/compare?from=prd-rev-1&to=HEAD`);
    const file = 'units/store/code/store.mjs';
    await page.locator(`[data-path="${file}"]`).click();
    await page.getByRole('link', { name: 'Unified' }).click();
    await page.locator('.layout-unified').waitFor();
    assert.match(decodeURIComponent(page.url()), new RegExp(`path=${file}`));
    await page.reload();
    await page.locator(`[data-path="${file}"][aria-current]`).waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  it('of a commit or a run, opened from far down on a telephone, lead to it', async () => {
    const { page, close } = await tested.open(`${at}/history`, { viewport: { width: 360, height: 640 } });
    for (const [view, link] of [
      ['history', '.commit a'],
      ['runs', 'tr[data-id] a.title'],
    ]) {
      await goTo(page, `#${at}/${view}`);
      await mustSettle(page);
      await page
        .locator(link ?? '')
        .last()
        .click();
      await page.locator('.detail').waitFor();
      await mustSettle(page);
      const { y = -1 } = (await page.locator('.detail').boundingBox()) ?? {};
      assert.ok(y >= 0 && y < 640, `${view}: the detail is at ${y}`);
    }
    await close();
  });
});
