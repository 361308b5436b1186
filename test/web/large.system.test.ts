import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import { type ProjectId, parseOid } from '../../server/domain/ids.ts';
import { DEVLOOP } from '../../server/domain/roles.ts';
import { gitIn } from '../support/demo-project.ts';
import { inPage } from './in-page.ts';
import { type PageUnderTest, pageUnderTest } from './page-under-test.ts';

const EVENTS = 10_000;
const LINES = 20_000;
const SCRIPT_LIMIT = 60_000;

const tagged = (tag: string) => ({ kind: 'git_tagged', tag, sha: parseOid('0'.repeat(39).concat('1')) }) as const;

describe('a large project on the page', () => {
  let tested: PageUnderTest;
  let pid: ProjectId;
  before(async () => {
    tested = await pageUnderTest();
    ({ pid } = await tested.app.loop.create({ requirement: 'large' }));
  });
  after(() => tested[Symbol.asyncDispose]());

  it('needs less than 60 kB of script over the wire for its first load, in either language', async (t) => {
    for (const locale of ['en-GB', 'zh-CN']) {
      const context = await tested.browser.newContext({ locale });
      const page = await context.newPage();
      const asked: string[] = [];
      page.on('request', (request) => request.resourceType() === 'script' && asked.push(request.url()));
      await page.goto(`${tested.url}/`);
      await page.locator('h1').waitFor();
      const sizes = asked.map(
        (url) => gzipSync(readFileSync(join(tested.folder, 'page', new URL(url).pathname))).length,
      );
      const size = sizes.reduce((sum, one) => sum + one, 0);
      t.diagnostic(`script for ${locale}: ${size} bytes gzipped in ${sizes.length} files`);
      assert.ok(sizes.length > 1 && size < SCRIPT_LIMIT);
      await context.close();
    }
  });

  it(`scrolls through ${EVENTS} events with only a few of them in the document`, async (t) => {
    const { ledgers } = tested.app;
    for (let at = 0; at < EVENTS; at += 500) {
      const events = Array.from({ length: 500 }, (_, index) => tagged(`tag-${at + index}`));
      await ledgers.append(pid, (await ledgers.position(pid)) + 1, { source: 'loop', events });
    }
    const { page, faults, close } = await tested.open(`/p/${pid}/events`);
    const list = page.locator('.virtual');
    const { path } = await tested.app.loop.project(pid);
    const count = readFileSync(join(path, 'timeline.ndjson'), 'utf8').trim().split('\n').length;
    assert.ok(count >= EVENTS);
    await page.locator(`.virtual[data-count="${count}"]`).waitFor({ timeout: 60_000 });
    await measureScrolling(t, page, 'events');
    assert.ok((await list.locator('[data-seq]').count()) < 100);
    assert.deepEqual(faults, []);
    await close();
  });

  it(`scrolls through a difference of ${LINES} lines, side by side and unified, and has as many as git`, async (t) => {
    const { path } = await tested.app.loop.project(pid);
    mkdirSync(join(path, 'prd'), { recursive: true });
    const text = (name: string) =>
      Array.from({ length: LINES / 2 }, (_, at) => `const ${name}${at} = compute(${at}, "${name}");\n`).join('');
    for (const name of ['first', 'second']) {
      writeFileSync(join(path, 'prd/big.js'), text(name));
      await tested.app.vault.commit(pid, {
        kind: 'wip',
        subject: name,
        author: DEVLOOP,
        trailers: [],
        files: [bytePathFromText('prd/**')],
        key: name,
        onEmpty: 'throw',
      });
    }
    const git = gitIn(path, tested.folder);
    const [plus, minus] = git('diff', '--numstat', 'HEAD^', 'HEAD').split('\t').map(Number);
    const { page, faults, close } = await tested.open(
      `/p/${pid}/compare?from=${git('rev-parse', 'HEAD^')}&to=HEAD&view=unified`,
    );
    await page.locator('.diff-line').first().waitFor();
    const count = Number(await page.locator('.virtual').getAttribute('data-count'));
    assert.equal(count, (plus ?? 0) + (minus ?? 0) + 2, 'a row for each line, one for the file, one for the hunk');
    await measureScrolling(t, page, 'unified difference');
    await page.getByRole('link', { name: 'Side by side' }).click();
    await page.locator('.layout-split .diff-pair').first().waitFor();
    await measureScrolling(t, page, 'difference side by side');
    assert.ok((await page.locator('.diff-row').count()) < 120);
    assert.deepEqual(faults, []);
    await close();
  });
});

/** Scrolls from the beginning to the end and tells the longest time for which nothing else could happen: to be looked at, not to be failed by. */
async function measureScrolling(t: TestContext, page: Page, what: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  // Time of the processor: on a machine that is busy elsewhere, tasks are long by the clock.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
  };
  const before = await worked();
  const { longest, over, steps, ended } = await inPage<Scrolled>(page, `(${SCROLL})()`);
  const each = ((await worked()) - before) / steps;
  t.diagnostic(
    `${what}: ${steps} steps, ${each.toFixed(1)} ms of the processor each; by the clock the longest task ${Math.round(longest)} ms, ${over} over 100 ms`,
  );
  assert.ok(steps > 20);
  assert.ok(ended, 'the end was reached');
}

interface Scrolled {
  /** Milliseconds. */
  readonly longest: number;
  readonly over: number;
  readonly steps: number;
  readonly ended: boolean;
}

const SCROLL = `async () => {
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: 'longtask' });
  const box = document.querySelector('.virtual');
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const ended = () => box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
  let steps = 0;
  for (box.scrollTop = 0; !ended() && steps < 400; steps++) {
    box.scrollTop += Math.max(900, box.scrollHeight / 200);
    await frame();
  }
  await frame();
  observer.disconnect();
  return { longest: Math.max(0, ...tasks), over: tasks.filter((ms) => ms > 100).length, steps, ended: ended() };
}`;
