import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import type { ProjectId } from '../../server/domain/ids.ts';
import { DEVLOOP } from '../../server/domain/roles.ts';
import { gitIn } from '../support/demo-project.ts';
import { mustBeAccessible } from './axe.ts';
import { attributes, goTo, inPage } from './in-page.ts';
import { mustFit, mustSettle } from './must-fit.ts';
import { type PageUnderTest, pageUnderTest } from './page-under-test.ts';

const MANY = 3_000;
const CHINESE = '这一行有很多字'.repeat(40);

describe('names and lines of any writing, and many of them', () => {
  let tested: PageUnderTest;
  let pid: ProjectId;
  let git: ReturnType<typeof gitIn>;
  const bytes = (name: string) => Buffer.from(name, 'latin1');
  before(async () => {
    tested = await pageUnderTest();
    ({ pid } = await tested.app.loop.create({ requirement: 'names', name: 'שלום (עולם) 你好' }));
    const { path } = await tested.app.loop.project(pid);
    git = gitIn(path, tested.folder);
    const folder = join(path, 'prd');
    const commit = (subject: string) =>
      tested.app.vault.commit(pid, {
        kind: 'wip',
        subject,
        author: DEVLOOP,
        trailers: [],
        files: [bytePathFromText('prd/**')],
        key: subject,
        onEmpty: 'throw',
      });
    mkdirSync(Buffer.concat([Buffer.from(`${folder}/`), bytes('dir-\xff')]), { recursive: true });
    const write = (text: string) => {
      for (const name of ['bad-\xff.txt', 'bad-\xfe.txt', 'dir-\xff/in.txt'])
        writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), bytes(name)]), `${text} ${name.length}\n`);
      for (const name of ['שלום (1).txt', '你好 世界.md'])
        writeFileSync(join(folder, name), `${text}\n${CHINESE}${text}\n`);
    };
    write('one');
    await commit('odd names');
    write('two');
    await commit('odd names changed');
    mkdirSync(join(folder, 'many'));
    for (let at = 0; at < MANY; at++) writeFileSync(join(folder, `many/${at}.txt`), `${at}\n`);
    await commit('many files');
  });
  after(() => tested[Symbol.asyncDispose]());

  it('are told apart and lead to their own bytes, wherever they are clicked', async () => {
    const { page, faults, close } = await tested.open(`/p/${pid}/files?path=prd`);
    await page.locator('.files a', { hasText: 'dir-⟨ff⟩' }).click();
    await page.locator('.files a', { hasText: 'in.txt' }).click();
    await page.getByText('two 12').waitFor();
    await page.locator('nav.crumbs a', { hasText: 'dir-⟨ff⟩' }).click();
    await page.locator('.files a', { hasText: 'in.txt' }).waitFor();
    await page.locator('nav.crumbs a', { hasText: 'prd' }).click();
    await page.locator('.files a', { hasText: 'bad-⟨fe⟩.txt' }).click();
    await page.getByRole('link', { name: 'Its commits' }).click();
    await page.locator('.commit').first().waitFor();
    assert.equal(await page.locator('.commit').count(), 2);
    await goTo(page, `#/p/${pid}/compare?from=${git('rev-parse', 'HEAD~2')}&to=${git('rev-parse', 'HEAD~1')}`);
    await page.locator('.diff-files li').first().waitFor();
    const names = await page.locator('.diff-files li .mono').allTextContents();
    assert.equal(new Set(names).size, 5, 'each file has a name of its own');
    for (const file of await page.locator('.diff-files li button').all()) {
      await file.click();
      assert.equal(await page.locator('.diff-files [aria-current]').count(), 1);
    }
    await mustBeAccessible(page, 'odd names');
    assert.deepEqual(faults, []);
    await close();
  });

  it('of Chinese can be read to the end of each line, side by side too, and keep right-to-left names in their place', async () => {
    const ends = `from=${git('rev-parse', 'HEAD~2')}&to=${git('rev-parse', 'HEAD~1')}`;
    const { page, close } = await tested.open(`/p/${pid}/compare?${ends}&view=split`);
    await page.locator('.diff-pair mark').first().waitFor();
    const cut = await inPage<number>(page, END_OF_LINE);
    assert.ok(cut >= 0, `${cut} pixels of a line cannot be scrolled to`);
    const parts = await page
      .locator('.diff-files bdi')
      .evaluateAll((all) => all.map((one) => (one as unknown as { textContent: string }).textContent));
    assert.deepEqual(parts, ['prd', 'שלום (1).txt'], 'each part of a path is held for itself');
    assert.ok((await inPage<number>(page, RTL_ORDER)) > 0, 'the folder stands before the name');
    await close();
  });

  it('of thousands are listed in parts, with how many are left, and without standing still', async (t) => {
    const { page, faults, close } = await tested.open(`/p/${pid}`);
    await page.locator('.tabs').waitFor();
    await inPage(page, OBSERVE);
    const ends = `from=${git('rev-parse', 'HEAD~1')}&to=${git('rev-parse', 'HEAD')}`;
    for (const [view, list] of [
      [`/history/${git('rev-parse', 'HEAD')}`, '.changes li'],
      [`/compare?${ends}`, '.diff-files li'],
      ['/files?path=prd/many', '.files li'],
    ] as const) {
      await inPage(page, 'void longTasks.splice(0)');
      await goTo(page, `#/p/${pid}${view}`);
      await page.locator(list).first().waitFor();
      await mustSettle(page);
      t.diagnostic(`${list}: long tasks of ${JSON.stringify(await inPage(page, 'longTasks'))} ms`);
      assert.equal(await page.locator(list).count(), 200);
      await page.getByRole('button', { name: `Show more (${MANY - 200})` }).click();
      assert.equal(await page.locator(list).count(), 400);
      await mustBeAccessible(page, view);
    }
    const last = `prd/many/${[...Array(MANY).keys()].map(String).sort().at(-1)}.txt`;
    await goTo(page, `#/p/${pid}/compare?${ends}&path=${last}`);
    await page.locator(`[data-path="${last}"][aria-current]`).waitFor();
    await page.getByRole('button', { name: /Show what is before/ }).waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  it('of yesterday and of other writings are nowhere cut off, on a telephone and in Chinese', async () => {
    const { page, faults, close } = await tested.open(`/p/${pid}`, {
      viewport: { width: 360, height: 740 },
      locale: 'zh-CN',
    });
    await page.clock.setFixedTime(new Date(Date.now() + 86_400_000));
    await page.reload();
    for (const view of ['', '/runs', '/history', '/files?path=prd', '/events', '/export']) {
      await goTo(page, `#/p/${pid}${view}`);
      await mustSettle(page);
      await page.waitForTimeout(100);
      await mustFit(page, view);
      assert.deepEqual(await inPage(page, CUT_OFF), [], view);
    }
    assert.deepEqual((await attributes(page.locator('.tabs a'), 'href')).length, 7);
    assert.deepEqual(faults, []);
    await close();
  });
});

/** Pixels between the end of the longest line and the edge of its half, scrolled as far as it goes. */
const END_OF_LINE = `(async () => {
  const box = document.querySelector('.virtual');
  box.scrollLeft = 1e6;
  await new Promise((resolve) => setTimeout(resolve, 200));
  const room = (code) => {
    const range = document.createRange();
    range.selectNodeContents(code);
    return code.closest('.half').getBoundingClientRect().right - range.getBoundingClientRect().right;
  };
  return Math.min(...[...document.querySelectorAll('.half code')].map(room));
})()`;
/** How far the name stands to the right of its folder. */
const RTL_ORDER = `(() => {
  const [folder, name] = [...document.querySelectorAll('.diff-files bdi')].map((one) => one.getBoundingClientRect());
  return name.left - folder.left;
})()`;
const OBSERVE = `void (() => {
  globalThis.longTasks = [];
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)))).observe({ type: 'longtask' });
})()`;
/** What is wider than its place, hidden there, and not marked as cut. */
const CUT_OFF = `[...document.querySelectorAll('main *, .bar *')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
  .filter((one) => { const { overflowX, textOverflow, display } = getComputedStyle(one); return ['hidden', 'clip'].includes(overflowX) && textOverflow !== 'ellipsis' && display !== 'inline'; })
  .map((one) => one.className + ': ' + one.textContent.slice(0, 60))`;
