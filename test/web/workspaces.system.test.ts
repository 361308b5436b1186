import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { discOf } from '../support/documents/png-of.ts';
import { bareEnvironment } from '../support/running-server.ts';
import { mustBeAccessible } from './axe.ts';
import { attributes, focused, pixelOf } from './in-page.ts';
import { mustFit, mustSettle } from './must-fit.ts';
import { type PageUnderTest, pageUnderTest, TOKEN } from './page-under-test.ts';

describe('a folder of a person on the page', () => {
  let tested: PageUnderTest;
  let root: string;
  let at: string;
  let turn: (work: () => void, about: object) => Promise<void>;
  const file = (name: string) => join(root, name);
  const git = (...argv: readonly string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=x', '-c', 'user.email=x@x', ...argv], {
      encoding: 'utf8',
      env: bareEnvironment(tested.folder),
    });
  before(async () => {
    tested = await pageUnderTest();
    root = join(tested.folder, 'mine');
    mkdirSync(join(root, 'lib'), { recursive: true });
    writeFileSync(file('app.js'), 'let a = 1;\nlet b = 2;\n');
    writeFileSync(file('notes.txt'), 'keep me\n');
    git('init', '--quiet', '-b', 'main');
    git('add', '-A');
    git('commit', '--quiet', '-m', 'mine');
    mkdirSync(join(root, 'node_modules/x'), { recursive: true });
    writeFileSync(file('node_modules/x/index.js'), '1');
    execFileSync('git', ['init', '--quiet', file('lib/inner')], { env: bareEnvironment(tested.folder) });
    turn = async (work, about) => {
      const ws = at.split('/').at(-1);
      const ask = (path: string, body: object) =>
        fetch(`${tested.url}/api/workspaces/${ws}${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }).then((answer) => answer.json() as Promise<{ turn: string }>);
      const begun = await ask('/turns', about);
      work();
      await ask(`/turns/${begun.turn}/end`, {});
    };
  });
  after(() => tested[Symbol.asyncDispose]());

  it('is added by its path, refused where it cannot be one, and has its first point kept', async () => {
    const { page, faults, close } = await tested.open('/w');
    await page.getByText('No folder is protected yet').waitFor();
    await mustBeAccessible(page, 'no workspace');
    await page.getByLabel('Folder on this machine').fill('/etc');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.locator('[data-code=workspace_refused]').waitFor();
    await mustBeAccessible(page, 'a refused folder');
    await page.getByLabel('Folder on this machine').fill(root);
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('No points yet').waitFor();
    at = new URL(page.url()).hash.slice(1);
    await mustBeAccessible(page, 'no points');
    await page.getByRole('button', { name: 'Keep a point' }).click();
    await page.getByLabel('Reason').fill('by hand');
    await page.getByRole('dialog').getByRole('button', { name: 'Keep a point' }).click();
    await page.locator('.point').waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  it('shows a turn with what it changed, as git says, what was left out by which rule, and the repositories in it', async () => {
    await turn(
      () => {
        writeFileSync(file('app.js'), 'let a = 1;\nlet b = 3;\nlet c = 4;\n');
        rmSync(file('notes.txt'));
      },
      { task_id: 'T-12', actor: 'claude' },
    );
    const { page, faults, close } = await tested.open(at);
    await page.locator('[data-turn] [data-state=ended]').waitFor({ timeout: 20_000 });
    await mustBeAccessible(page, 'a turn');
    await page.getByRole('link', { name: 'What it changed' }).click();
    await page.locator('.diff-files li').nth(1).waitFor();
    const told = git('diff', '--numstat', '--', 'app.js', 'notes.txt')
      .trim()
      .split('\n')
      .map((line) => line.split('\t'));
    for (const [plus, minus, name] of told) {
      const row = page.locator(`.diff-files [data-path="${name}"]`);
      assert.deepEqual(
        [await row.locator('.plus').textContent(), await row.locator('.minus').textContent()],
        [`+${plus}`, `−${minus}`],
      );
    }
    await page.locator('.diff-row', { hasText: 'let b = 3' }).first().waitFor();
    await page.getByText('Left out').click();
    assert.ok((await paths(page, '.reasons [data-path]')).some((path) => path.startsWith('node_modules')));
    assert.deepEqual(
      (await attributes(page.locator('[data-nested]'), 'data-nested')).toSorted(),
      ['', 'lib/inner'].sort(),
    );
    await mustSettle(page);
    await mustBeAccessible(page, 'a point');
    assert.deepEqual(faults, []);
    await close();
  });

  it('is restored only by a plan that was shown, refused where it is stale, undone and redone', async () => {
    const { page, faults, close } = await tested.open(at);
    await page.getByRole('link', { name: 'Undo the last turn' }).click();
    const apply = page.getByRole('button', { name: 'Apply this plan' });
    await apply.waitFor();
    assert.equal(await focused(page), 'Leave everything as it is', 'Enter does no harm');
    assert.deepEqual(await paths(page, '[data-list=adds][data-path]'), ['notes.txt']);
    assert.deepEqual(await paths(page, '[data-list=overwrites][data-path]'), ['app.js']);
    assert.equal(existsSync(file('notes.txt')), false, 'nothing is written yet');
    await mustBeAccessible(page, 'a plan');
    writeFileSync(file('app.js'), 'changed meanwhile\n');
    await apply.click();
    await page.locator('[data-code=plan_stale]').waitFor();
    assert.equal(readFileSync(file('app.js'), 'utf8'), 'changed meanwhile\n');
    await mustBeAccessible(page, 'a stale plan');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Some of these files were changed after the turn').waitFor();
    await apply.click();
    await page.locator('[data-report]').waitFor();
    assert.equal(readFileSync(file('notes.txt'), 'utf8'), 'keep me\n');
    assert.equal(git('status', '--porcelain', '--untracked-files=no'), '');
    await mustBeAccessible(page, 'a report');
    await page.getByRole('button', { name: 'Undo this' }).click();
    await page.locator('[data-kind=delete][data-path="notes.txt"]').waitFor();
    assert.equal(readFileSync(file('app.js'), 'utf8'), 'changed meanwhile\n');
    await page.getByRole('button', { name: 'Undo this' }).click();
    await page.locator('[data-kind=add][data-path="notes.txt"]').waitFor();
    assert.equal(git('status', '--porcelain', '--untracked-files=no'), '', 'redone');
    await page.getByRole('link', { name: 'To the points' }).click();
    await page.getByText('3 restores').click();
    await mustBeAccessible(page, 'restores');
    await page.locator('[data-restore] button').first().click();
    await page.getByText('4 restores').waitFor();
    assert.equal(existsSync(file('notes.txt')), false, 'taken back from the list');
    await page.locator('[data-restore] button').first().click();
    await page.getByText('5 restores').waitFor();
    assert.equal(git('status', '--porcelain', '--untracked-files=no'), '');
    assert.deepEqual(faults, []);
    await close();
  });

  it('is restored by single paths, and into a new folder', async () => {
    const { page, faults, close } = await tested.open(at);
    await page.locator('.point a', { hasText: 'by hand' }).click();
    await page.getByRole('link', { name: 'Restore into a new folder' }).click();
    const elsewhere = join(tested.folder, 'elsewhere');
    await page.getByLabel('New folder').fill(elsewhere);
    await page.getByLabel('Only these paths').fill('app.js');
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.getByRole('button', { name: 'Apply this plan' }).click();
    await page.locator('[data-report]').waitFor();
    assert.equal(readFileSync(join(elsewhere, 'app.js'), 'utf8'), 'let a = 1;\nlet b = 2;\n');
    assert.equal(existsSync(join(elsewhere, 'notes.txt')), false);
    assert.deepEqual(faults, []);
    await close();
  });

  it('tells what is protected and by which rule not, and takes settings; narrow and dark too', async () => {
    const { page, faults, close } = await tested.open(`${at}/protection`, {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    });
    await page.locator('[data-fact=points]').waitFor();
    await page.getByLabel('Is this path protected?').fill('node_modules/x/index.js');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.locator('[data-included=false] code').waitFor();
    const rule = await page.locator('[data-included=false]').textContent();
    await page.getByText(/^Not protected/).click();
    await page.getByRole('link', { name: /^Explain: node_modules/ }).click();
    await page.waitForURL(/path=node_modules(&|$)/);
    await page.locator('[data-included=false] code').waitFor();
    assert.equal(await page.locator('[data-included=false]').textContent(), rule, 'the same rule from the list');
    await mustBeAccessible(page, 'protection');
    await mustFit(page, 'protection');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Leave out besides').fill('*.tmp\n');
    await page.getByLabel('Most turns').fill('seven');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[data-code=validation_failed]').waitFor();
    await mustBeAccessible(page, 'a setting that is no number');
    await page.getByLabel('Most turns').fill('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await mustBeAccessible(page, 'settings');
    await mustFit(page, 'settings');
    await page.reload();
    await page.locator('#max_turns').waitFor();
    assert.equal(await page.getByLabel('Most turns').inputValue(), '7');
    assert.equal(await page.getByLabel('Leave out besides').inputValue(), '*.tmp');
    assert.deepEqual(faults, []);
    await close();
  });

  it('shows a picture before and after in four ways, by keyboard too, with the pixels of the files', async () => {
    const [red, blue] = [
      [255, 0, 0],
      [0, 0, 255],
    ] as const;
    writeFileSync(file('disc.png'), discOf(red));
    await turn(() => writeFileSync(file('disc.png'), discOf(blue)), { task_id: 'T-13', actor: 'claude' });
    const { page, faults, close } = await tested.open(at);
    await page.locator('[data-turn] [data-state=ended]').first().waitFor({ timeout: 20_000 });
    await page.locator('[data-turn]').first().getByRole('link', { name: 'What it changed' }).click();
    const picture = page.locator('.picture[data-path="disc.png"]');
    const pixel = (canvas: number, x: number) => pixelOf(picture.locator('canvas').nth(canvas), x);
    await picture.locator('canvas').nth(1).waitFor();
    assert.deepEqual([await pixel(0, 50), await pixel(1, 50)], [[...red], [...blue]]);
    await mustBeAccessible(page, 'pictures side by side');
    await picture.getByLabel('Side by side').focus();
    await page.keyboard.press('ArrowRight');
    await picture.getByLabel('Side by side').and(page.locator(':not(:checked)')).waitFor();
    await picture.getByRole('slider').waitFor();
    assert.deepEqual([await pixel(0, 30), await pixel(0, 70)], [[...blue], [...red]], 'swipe');
    await picture.getByRole('slider').focus();
    await page.keyboard.press('Home');
    assert.deepEqual(await pixel(0, 30), [...red], 'nothing of the newer one');
    await picture.getByLabel('Onion skin').check();
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    assert.deepEqual(await pixel(0, 30), [...blue], 'all of the newer one');
    await picture.getByLabel('Difference', { exact: true }).check();
    await picture.getByRole('img', { name: 'disc.png: difference' }).waitFor();
    assert.notDeepEqual(await pixel(0, 50), await pixel(0, 2), 'what differs is marked');
    await mustBeAccessible(page, 'the difference of pictures');
    assert.deepEqual(faults, []);
    rmSync(file('disc.png'));
    await close();
  });
});

const paths = (page: Page, selector: string): Promise<readonly string[]> =>
  attributes(page.locator(selector), 'data-path');
