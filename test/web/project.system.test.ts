import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { ProjectId } from '../../server/domain/ids.ts';
import type { ProjectView } from '../../server/loop/index.ts';
import { gitIn, recordedRequirement } from '../support/demo-project.ts';
import { mustBeAccessible } from './axe.ts';
import { attributes, focused, goTo, inPage } from './in-page.ts';
import { mustFit, mustSettle } from './must-fit.ts';
import { type PageUnderTest, pageUnderTest } from './page-under-test.ts';

const linkState = (page: Page, state: string) => page.locator(`.pill[data-link=${state}]`).waitFor({ timeout: 60_000 });

describe('a project on the page', () => {
  let tested: PageUnderTest;
  let pid: ProjectId;
  let git: ReturnType<typeof gitIn>;
  let path: string;
  before(async () => {
    tested = await pageUnderTest();
    ({ pid } = await tested.app.loop.create({ requirement: recordedRequirement('todo') }));
    ({ path } = await tested.app.loop.project(pid));
    git = gitIn(path, tested.folder);
  });
  after(() => tested[Symbol.asyncDispose]());

  it('is drawn live while it runs, stays live over a restart of the server, and misses no event', async () => {
    const { page, faults, close } = await tested.open(`/p/${pid}`);
    await linkState(page, 'live');
    await mustBeAccessible(page, 'a project that has not begun');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('[data-node=unit-store][data-state=green]').waitFor({ timeout: 60_000 });
    await mustBeAccessible(page, 'a project that runs');
    await tested.stop();
    await linkState(page, 'reconnecting');
    await mustBeAccessible(page, 'a server that is away');
    await tested.start();
    await linkState(page, 'live');
    await goOn(page, await tested.app.loop.project(pid));
    await tested.app.loop.settled(pid);
    const after = await tested.app.loop.project(pid);
    assert.equal(after.status, 'shipped', `${after.reason} ${after.detail}`);
    await page.locator('[data-node=end][data-state=shipped]').waitFor({ timeout: 60_000 });
    const project = await tested.app.loop.project(pid);
    for (const { id, status, depends_on } of project.units) {
      assert.equal(await page.locator(`[data-node="unit-${id}"]`).getAttribute('data-state'), status);
      assert.equal(await page.locator(`tr[data-unit="${id}"] td`).last().textContent(), depends_on.join(', '));
    }
    await page.getByRole('link', { name: 'Events' }).first().click();
    const timeline = readFileSync(join(path, 'timeline.ndjson'), 'utf8').trim().split('\n');
    const expected = timeline.map((line) => (JSON.parse(line) as { seq: number }).seq);
    await page.getByLabel('Show what agents print').uncheck();
    await page.locator(`.virtual[data-count="${expected.length}"]`).waitFor();
    assert.deepEqual(await allSeqs(page), expected);
    await mustBeAccessible(page, 'events');
    assert.deepEqual(faults, []);
    await close();
  });

  it('lists every call with its outcome and commit, leads from a run to its commit and back, and shows what failed first', async () => {
    const { page, faults, close } = await tested.open(`/p/${pid}/runs`);
    const { calls } = await tested.app.loop.project(pid);
    await page.locator('tr[data-kind=run]').first().waitFor();
    for (const { call, sha, status, source } of calls) {
      const row = page.locator(`tr[data-id="${call}"]`);
      assert.equal(await row.locator('.badge').getAttribute('data-state'), status);
      if (sha !== undefined)
        assert.equal(await row.locator('td').last().textContent(), git('rev-parse', '--short=7', sha));
      assert.equal(await row.locator('.tag').textContent(), source, 'scripted decisions are marked');
    }
    const call = calls.find(({ role, sha }) => role === 'architect' && sha !== undefined);
    await page.locator(`tr[data-id="${call?.call}"] a`).last().click();
    await page.locator(`[data-commit="${call?.sha}"]`).waitFor();
    assert.equal(await page.locator('.detail h2').textContent(), git('log', '-1', '--format=%s', call?.sha ?? ''));
    await page.getByRole('link', { name: `Run ${call?.call}` }).click();
    await page.locator(`[data-detail="${call?.call}"]`).waitFor();
    const red = (await tested.app.loop.runs(pid)).find(({ outcome }) => outcome === 'red');
    await page.locator(`tr[data-id="${red?.run}"] a`).first().click();
    const report = page.locator(`[data-run="${red?.run}"]`);
    await report.waitFor();
    assert.equal(await report.locator('.check').first().getAttribute('data-outcome'), 'failed');
    const file = JSON.parse(git('show', `refs/devloop/attempts/store/1/1:units/store/runs/${red?.run}/result.json`));
    assert.match(
      (await report.locator('.command').textContent()) ?? '',
      new RegExp(`^\\$ ${file.command.join(' ')}\nexit status ${file.exit_code}$`),
    );
    await page.getByText('Output', { exact: true }).click();
    assert.ok((await report.locator('.output').textContent())?.includes('never gives an id twice'));
    await mustBeAccessible(page, 'a red run');
    assert.deepEqual(faults, []);
    await close();
  });

  it('shows a unit’s attempts side by side with their verdicts', async () => {
    const { page, faults, close } = await tested.open(`/p/${pid}/units/store`);
    await page.locator('.report').nth(1).waitFor();
    const verdicts = await attributes(page.locator('.try h3 .badge'), 'data-state');
    assert.deepEqual(verdicts, ['red', 'green']);
    assert.equal(
      await page.locator('.try .links a').first().textContent(),
      git('rev-parse', '--short=7', 'refs/devloop/attempts/store/1/1'),
    );
    await mustBeAccessible(page, 'attempts');
    await page.getByRole('link', { name: 'Compare with the one before' }).click();
    await page.locator('.diff-lines').waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  it('fits a telephone and a dark room, and every state of it is accessible there too', async () => {
    const { page, faults, close } = await tested.open(`/p/${pid}`, {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    });
    for (const view of [
      '',
      '/runs',
      '/history',
      '/files',
      '/compare?from=attempts/store/1/1&to=main',
      '/events',
      '/export',
      '/units/store',
    ]) {
      await goTo(page, `#/p/${pid}${view}`);
      await page.locator('.tabs').waitFor();
      await mustSettle(page);
      await mustBeAccessible(page, `${view} dark and narrow`);
      await mustFit(page, view);
    }
    assert.deepEqual(faults, []);
    await close();
  });

  it('can be used by keyboard alone: to the content, through the tabs, into a list, out of a question', async () => {
    const { page, close } = await tested.open(`/p/${pid}`);
    await linkState(page, 'live');
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Skip to the content');
    await page.keyboard.press('Enter');
    assert.equal(await inPage(page, 'document.activeElement.id'), 'main');
    for (let i = 0; i < 40 && (await focused(page)) !== 'Events'; i++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.virtual').waitFor();
    await page.locator('.virtual').focus();
    await page.keyboard.press('Home');
    await page.locator('.virtual [data-seq="1"]').waitFor();
    await page.getByRole('button', { name: 'Sign off' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await mustBeAccessible(page, 'a question');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await tested.app.loop.project(pid)).status, 'shipped');
    await close();
  });

  it('speaks Chinese where the reader does', async () => {
    const { page, close } = await tested.open(`/p/${pid}`, { locale: 'zh-CN' });
    await page.getByRole('link', { name: '历史' }).click();
    await page.locator('.commit').first().waitFor();
    assert.equal(await inPage(page, 'document.documentElement.lang'), 'zh-Hans');
    await mustBeAccessible(page, 'Chinese');
    await close();
  });
});

/** After a stop: settles what it left uncommitted, and goes on where something was interrupted. */
async function goOn(page: Page, { status, recovery }: ProjectView): Promise<void> {
  if (recovery !== undefined) {
    await page.getByRole('radio', { name: /Reset to HEAD/ }).check();
    await page.getByRole('button', { name: 'Reset to HEAD' }).click();
  }
  if (status === 'paused') await page.getByRole('button', { name: 'Resume' }).click();
}

/** Every seq of the list, read by scrolling through it. */
async function allSeqs(page: Page): Promise<readonly number[]> {
  const seen = new Set<number>();
  const scroll = (to: string) => inPage(page, `void (document.querySelector('.virtual').scrollTop ${to})`);
  await scroll('= 0');
  for (let last = -1; last !== seen.size; ) {
    last = seen.size;
    await page.waitForTimeout(60);
    for (const seq of await inPage<number[]>(page, SHOWN_SEQS)) seen.add(seq);
    await scroll('+= 400');
  }
  return [...seen].sort((a, b) => a - b);
}

const SHOWN_SEQS = '[...document.querySelectorAll(".virtual [data-seq]")].map((row) => Number(row.dataset.seq))';
