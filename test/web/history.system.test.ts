import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { gitIn } from '../support/demo-project.ts';
import { mustBeAccessible } from './axe.ts';
import { demoShipped } from './demo-shipped.ts';
import { attributes, goTo, inPage } from './in-page.ts';
import { mustSettle } from './must-fit.ts';
import { type PageUnderTest, pageUnderTest } from './page-under-test.ts';

describe('the history of a project on the page', () => {
  let tested: PageUnderTest;
  let at: string;
  let git: ReturnType<typeof gitIn>;
  before(async () => {
    tested = await pageUnderTest();
    const { pid, path } = await demoShipped(tested);
    at = `/p/${pid}`;
    git = gitIn(path, tested.folder);
  });
  after(() => tested[Symbol.asyncDispose]());
  const lines = (...argv: readonly string[]) =>
    git(...argv)
      .split('\n')
      .filter((line) => line !== '');

  const numstat = (...ends: readonly string[]) =>
    lines('diff', '--numstat', '--no-renames', ...ends).map((line) => line.split('\t').reverse().join(' '));

  it('is git’s own: commits, authors, tags, and what was tried beside main', async () => {
    const { page, faults, close } = await tested.open(`${at}/history`);
    await page.locator('.commit').first().waitFor();
    const rows = page.locator('.commit[data-kind=commit]');
    assert.deepEqual(await rows.locator('.commit-text > a').allTextContents(), lines('log', '--format=%s'));
    assert.deepEqual(await rows.locator('.author').allTextContents(), lines('log', '--format=%an'));
    assert.deepEqual(
      await attributes(page.locator('.commit[data-kind=attempt]'), 'data-sha'),
      lines('for-each-ref', '--format=%(objectname)', 'refs/devloop/attempts'),
    );
    const tags = (await page.locator('.commit .tag-ref').allTextContents()).filter((name) => name !== 'main');
    assert.deepEqual(tags.sort(), lines('tag').sort());
    await mustBeAccessible(page, 'history');
    await page.getByLabel('Author').selectOption('coder@');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.locator('.commit', { hasText: 'ship:' }).waitFor({ state: 'detached' });
    await page.locator('.commit').first().waitFor();
    assert.equal(await page.locator('.commit').count(), lines('log', '--author=coder@', '--format=%H').length);
    await page.getByLabel('Words of the message').fill('no such words');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('No commit fits').waitFor();
    await mustBeAccessible(page, 'no commit');
    assert.deepEqual(faults, []);
    await close();
  });

  it('shows of a commit the files that git says it changed', async () => {
    const { page, close } = await tested.open(`${at}/history`);
    const [sha = ''] = lines('log', '--grep=retry', '--format=%H');
    await page.locator(`.commit[data-sha="${sha}"] a`).click();
    await page.locator(`[data-commit="${sha}"]`).waitFor();
    assert.deepEqual(
      await attributes(page.locator('.changes li'), 'data-path'),
      lines('diff-tree', '--no-commit-id', '--name-only', '-r', '-m', '--first-parent', sha),
    );
    await mustBeAccessible(page, 'a commit');
    await close();
  });

  it('gives a commit a name, and takes one back after its reverse was shown, as git then says', async () => {
    const { page, faults, close } = await tested.open(`${at}/history`);
    const sha = git('rev-parse', 'sdd-rev-1^{commit}');
    await page.locator(`.commit[data-sha="${sha}"] a`).click();
    await page.getByRole('button', { name: 'Name it' }).click();
    await page.getByLabel('Name of the tag').fill('prd-rev-1');
    await page.getByRole('dialog').getByRole('button', { name: 'Name it' }).click();
    await page.locator('[data-code=tag_exists]').waitFor();
    await mustBeAccessible(page, 'a name that is taken');
    await page.getByLabel('Name of the tag').fill('good-design');
    await page.getByRole('dialog').getByRole('button', { name: 'Name it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator(`.commit[data-sha="${sha}"] .tag-ref`, { hasText: 'good-design' }).waitFor();
    assert.equal(git('rev-parse', 'good-design^{commit}'), sha);
    const [last = ''] = lines('log', '-1', '--grep=implement', '--format=%H');
    await goTo(page, `#${at}/history/${last}`);
    await page.getByRole('button', { name: 'Take it back' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('.diff-files li').first().waitFor();
    await mustBeAccessible(page, 'a commit to be taken back');
    const told = await shownStat(page);
    const before = git('rev-parse', 'HEAD');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(git('rev-parse', 'HEAD'), before);
    await page.getByRole('button', { name: 'Take it back' }).click();
    await dialog.locator('.diff-files li').first().waitFor();
    await dialog.getByRole('button', { name: 'Take it back' }).click();
    await dialog.waitFor({ state: 'detached' });
    const made = git('rev-parse', 'HEAD');
    assert.equal(git('rev-parse', 'HEAD^'), before);
    await page.locator(`[data-commit="${made}"]`).waitFor();
    const done = numstat('HEAD^', 'HEAD').filter((line) => !/^(timeline|changelog)\.ndjson /.test(line));
    assert.deepEqual(told, done, 'what was shown is what was done');
    assert.deepEqual(faults, []);
    await close();
  });

  it('lists the files of any revision, and says of each line who wrote it, as git blame does', async () => {
    const { page, faults, close } = await tested.open(`${at}/files?ref=sdd-rev-1`);
    await page.locator('.files li').first().waitFor();
    const shown = await attributes(page.locator('.files li'), 'data-path');
    assert.deepEqual([...shown].sort(), lines('ls-tree', '--name-only', 'sdd-rev-1').sort());
    await mustBeAccessible(page, 'files');
    for (const [ref, file] of [
      ['HEAD', 'units/api/code/api.mjs'],
      ['HEAD', 'units/store/coder.log'],
      ['prd-rev-1', 'prd/prd.md'],
    ]) {
      await goTo(page, `#${at}/files?ref=${ref}&file=${file}`);
      await page.locator('[data-line="1"] [data-blame]').waitFor();
      const text = git('show', `${ref}:${file}`);
      assert.equal(await page.locator('.virtual').getAttribute('data-count'), String(text.split('\n').length));
      const blamed = lines('blame', '--line-porcelain', ref ?? '', '--', file ?? '').flatMap(
        (line) => /^author (.*)$/.exec(line)?.[1] ?? [],
      );
      const said = await attributes(page.locator('.file-line .blame'), 'data-author');
      assert.deepEqual(said, blamed.slice(0, said.length));
      assert.ok(said.length > 5);
      await mustBeAccessible(page, `blame of ${file}`);
    }
    await goTo(page, `#${at}/files?ref=attempts/store/1/1&file=units/store/code/store.mjs`);
    await page.getByText('Who wrote it is told of files in the last 500').waitFor();
    await mustBeAccessible(page, 'a file that is not on main');
    assert.deepEqual(faults, []);
    await close();
  });

  it('compares what git compares, side by side and unified, swapped, from an address', async () => {
    const { page, faults, close } = await tested.open(`${at}/compare?from=attempts/store/1/1&to=main`);
    const red = 'refs/devloop/attempts/store/1/1';
    await mustShowStat(page, numstat(red, 'main'));
    await mustBeAccessible(page, 'side by side');
    await page.locator('[data-path="units/store/code/store.mjs"]').click();
    await page.locator('.is-changed').first().waitFor();
    const changed = page.locator('.diff-pair.is-changed').filter({ hasText: 'nextId++' });
    assert.equal(
      await changed.locator('.half-old code').textContent(),
      lines('show', `${red}:units/store/code/store.mjs`).find((line) => line.includes('items.length + 1')),
    );
    assert.ok((await changed.locator('mark').count()) > 0, 'the words that differ are marked');
    assert.match(page.url(), /path=units/);
    await page.getByRole('link', { name: 'Unified' }).click();
    await page.locator('.layout-unified').waitFor();
    await mustBeAccessible(page, 'unified');
    await page.getByRole('link', { name: 'Swap' }).click();
    await page.locator('.diff-files li').first().waitFor();
    await mustShowStat(page, numstat('main', red));
    await page.getByLabel('From').fill('prd-rev-1');
    await page.getByLabel('To').fill('sdd-rev-1');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.waitForURL(/prd-rev-1/);
    await mustShowStat(page, numstat('prd-rev-1', 'sdd-rev-1'));
    await page.getByLabel('From').fill('no-such-tag');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.locator('[data-code=ref_not_found]').waitFor();
    await mustBeAccessible(page, 'an unknown revision');
    assert.deepEqual(faults, []);
    await close();
  });

  it('leaves as archive and bundle whose digests are told, and which git and the disk know', async () => {
    const { page, faults, close } = await tested.open(`${at}/export`);
    for (const [button, ending] of [
      ['Files as tar.gz', 'tar.gz'],
      ['History as git bundle', 'bundle'],
      ['Who wrote what (Agent Trace)', 'json'],
    ] as const) {
      const coming = page.waitForEvent('download');
      await page.getByRole('button', { name: button }).click();
      const download = await coming;
      const file = join(tested.folder, `download.${ending}`);
      await download.saveAs(file);
      const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
      await page.locator(`[data-sha256="${sha256}"]`).first().waitFor();
      assert.ok(download.suggestedFilename().endsWith(ending), download.suggestedFilename());
    }
    git('bundle', 'verify', join(tested.folder, 'download.bundle'));
    await page.getByText(/^Digests of/).click();
    const files = await attributes(page.locator('[data-file]'), 'data-file');
    assert.deepEqual([...files].sort(), lines('ls-tree', '-r', '--name-only', 'HEAD').sort());
    const digest = createHash('sha256')
      .update(`${git('show', 'HEAD:project.json')}\n`)
      .digest('hex');
    assert.equal(await page.locator('[data-file="project.json"]').getAttribute('data-sha256'), digest);
    await mustBeAccessible(page, 'export');
    assert.deepEqual(faults, []);
    await close();
  });
});

/** Waits until the page lists just these files with these counts. */
async function mustShowStat(page: Page, expected: readonly string[]): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (isDeepStrictEqual(await shownStat(page), expected)) return;
    await page.waitForTimeout(50);
  }
  assert.deepEqual(await shownStat(page), expected);
}

/** Files with their counts as the page has them, all read in one moment, in the form of `git diff --numstat` with the name first. */
async function shownStat(page: Page): Promise<readonly string[]> {
  await mustSettle(page);
  await page.locator('.diff-files li').first().waitFor();
  return inPage(page, SHOWN_STAT);
}

const SHOWN_STAT = `[...document.querySelectorAll('.diff-files li')].map((row) => {
  const [plus, minus] = ['.plus', '.minus'].map((name) => row.querySelector(name)?.textContent.slice(1) ?? '-');
  return [row.querySelector('[data-path]').dataset.path, minus, plus].join(' ');
})`;
