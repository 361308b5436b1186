import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { chromium, type Page } from 'playwright-core';
import type { ProjectId } from '../../server/domain/ids.ts';
import { mustBeAccessible } from './axe.ts';
import { chromiumPath } from './chromium-path.ts';
import { demoShipped } from './demo-shipped.ts';
import { goTo, inPage } from './in-page.ts';
import { type PageUnderTest, pageUnderTest, TOKEN } from './page-under-test.ts';

const live = (page: Page) => page.locator('.pill[data-link=live]').waitFor({ timeout: 20_000 });
const OFFLINE = 'The server cannot be reached';

describe('access and connection of the page', () => {
  let tested: PageUnderTest;
  let pid: ProjectId;
  before(async () => {
    tested = await pageUnderTest();
    ({ pid } = await demoShipped(tested));
  });
  after(() => tested[Symbol.asyncDispose]());

  it('is given to every tab of a browser that has it once, and refused to a wrong token with the reason', async () => {
    const context = await tested.browser.newContext({ locale: 'en' });
    const page = await context.newPage();
    await page.goto(`${tested.url}/#/p/${pid}/history`);
    await page.getByLabel('Or paste the token').fill('wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.locator('[data-code=unauthorized]').waitFor();
    await mustBeAccessible(page, 'a wrong token');
    await page.getByLabel('Or paste the token').fill(TOKEN);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.locator('.commit').first().waitFor();
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      page
        .locator('.commit a')
        .first()
        .click({ modifiers: ['Control'] }),
    ]);
    await tab.locator('[data-commit]').waitFor();
    const fresh = await tested.browser.newContext({ locale: 'en' });
    const waiting = await fresh.newPage();
    await waiting.goto(`${tested.url}/#/p/${pid}/files`);
    await waiting.getByText('This tab has no access yet').waitFor();
    await (await fresh.newPage()).goto(tested.link());
    await waiting.locator('.files li').first().waitFor();
    await fresh.close();
    const stranger = await (await tested.browser.newContext({ locale: 'en' })).newPage();
    await stranger.goto(`${tested.url}/`);
    await stranger.getByText('This tab has no access yet').waitFor();
    await stranger.context().close();
    await context.close();
  });

  it('leaves connections for other tabs: one that nobody looks at has no stream, and catches up when it is looked at', async () => {
    const { page, close } = await tested.open(`/p/${pid}`);
    await live(page);
    const others = await Promise.all(Array.from({ length: 8 }, () => page.context().newPage()));
    for (const tab of others) {
      await tab.addInitScript(HIDDEN);
      await tab.goto(`${tested.url}/#/p/${pid}`);
      await tab.locator('.pill[data-link=connecting]').waitFor();
    }
    const last = others.at(-1);
    assert.ok(last);
    await inPage(last, `(${SEEN})()`);
    await live(last);
    await close();
  });

  it('is live in more tabs side by side than a browser has connections: they take turns, and each hears what happens', async () => {
    const { page, faults, close } = await tested.open('/');
    const tabs = [page, ...(await Promise.all(Array.from({ length: 8 }, () => page.context().newPage())))];
    for (const [at, tab] of tabs.entries()) {
      await tab.goto(`${tested.url}/#${at % 2 === 0 ? '/' : `/p/${pid}`}`);
      await live(tab);
    }
    assert.ok((await streamsOf(tested)) <= 4);
    const { pid: made } = await tested.app.loop.create({ requirement: 'made while nine tabs look' });
    for (const [at, tab] of tabs.entries())
      if (at % 2 === 0) await tab.locator(`tr[data-pid="${made}"]`).waitFor({ timeout: 20_000 });
    assert.deepEqual(faults, []);
    await close();
  });

  it('works over plain HTTP under the name of another machine too: it creates a project, and says why it tells no digest', async () => {
    // It serves that name once its port is known.
    await tested.stop();
    await tested.start();
    const { port } = new URL(tested.url);
    const far = await chromium.launch({
      executablePath: chromiumPath(),
      args: ['--no-sandbox', '--host-resolver-rules=MAP devloop.test 127.0.0.1'],
    });
    try {
      const page = await (await far.newContext({ locale: 'en' })).newPage();
      await page.addInitScript((token) => sessionStorage.setItem('devloop.token', token), TOKEN);
      await page.goto(`http://devloop.test:${port}/#/new`);
      assert.equal(await inPage(page, 'isSecureContext'), false);
      await page.getByLabel('What is to be built').fill('from afar');
      await page.getByRole('button', { name: 'Create only' }).click();
      await page.getByRole('heading', { name: 'from afar', level: 1 }).waitFor();
      await goTo(page, `#/p/${pid}/export`);
      await page.getByRole('button', { name: 'Files as zip' }).click();
      await page.getByText('No sha256').waitFor();
    } finally {
      await far.close();
    }
  });

  it('is told where it breaks, in every view, and heals by itself when the server is back', async () => {
    const list = await tested.open('/');
    await live(list.page);
    const { page, faults, close } = await tested.open(`/p/${pid}`);
    await live(page);
    await tested.stop();
    await list.page.locator('.pill[data-link=reconnecting]').waitFor();
    await goTo(list.page, `#/p/${pid}/history`);
    await list.page.getByText(OFFLINE).waitFor();
    await mustBeAccessible(list.page, 'a project that was never seen');
    await goTo(page, `#/p/${pid}/export`);
    await page.getByText(OFFLINE).first().waitFor();
    await mustBeAccessible(page, 'a view that was never seen');
    await tested.start();
    await list.page.locator('.commit').first().waitFor({ timeout: 20_000 });
    await page.getByText('Digests of').waitFor({ timeout: 20_000 });
    await page.getByText(OFFLINE).first().waitFor({ state: 'detached' });
    assert.deepEqual([...faults, ...list.faults], []);
    await list.close();
    await close();
  });

  it('keeps a project in sight while the server is busy or an answer is cut short', async () => {
    const { page, faults, close } = await tested.open(`/p/${pid}`);
    await live(page);
    const body = '{"code":"busy","detail":"The server is starting."}';
    let asked = 0;
    await page.route(`**/projects/${pid}`, (route) =>
      ++asked > 2 ? route.continue() : route.fulfill({ status: 503, contentType: 'application/problem+json', body }),
    );
    await page.reload();
    await page.locator('.note', { hasText: 'The server is starting.' }).waitFor();
    await mustBeAccessible(page, 'a busy server');
    await page.locator('[data-node=end]').waitFor({ timeout: 20_000 });
    let cut = 0;
    await page.route('**/commits?**', (route) => (++cut > 1 ? route.continue() : route.abort('connectionreset')));
    await goTo(page, `#/p/${pid}/history`);
    await page.locator('.commit').first().waitFor({ timeout: 20_000 });
    assert.deepEqual(faults, []);
    await close();
  });

  it('says that a project is gone when it is deleted under the page', async () => {
    const { pid: doomed } = await tested.app.loop.create({ requirement: 'doomed' });
    const { page, close } = await tested.open(`/p/${doomed}`);
    await live(page);
    await fetch(`${tested.url}/api/devloop/projects/${doomed}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    await page.locator('[data-code=project_not_found]').waitFor({ timeout: 20_000 });
    await mustBeAccessible(page, 'a deleted project');
    await page.getByRole('main').getByRole('link', { name: 'Projects' }).click();
    await page.locator(`tr[data-pid="${pid}"]`).waitFor();
    await close();
  });
});

const HIDDEN = `Object.defineProperty(document, 'hidden', { configurable: true, get: () => globalThis.unseen !== false })`;
const SEEN = `() => { globalThis.unseen = false; document.dispatchEvent(new Event('visibilitychange')); }`;

async function streamsOf({ url }: PageUnderTest): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  return Number(/streams_open (\d+)/.exec(await answer.text())?.[1]);
}
