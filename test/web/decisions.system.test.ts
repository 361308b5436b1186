import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { ProjectId } from '../../server/domain/ids.ts';
import { gitIn, recordedRequirement } from '../support/demo-project.ts';
import { mustBeAccessible } from './axe.ts';
import { mustSettle } from './must-fit.ts';
import { type PageUnderTest, pageUnderTest } from './page-under-test.ts';

describe('what waits for a person', () => {
  let tested: PageUnderTest;
  before(async () => {
    tested = await pageUnderTest();
  });
  after(() => tested[Symbol.asyncDispose]());

  const statusOf = async (pid: ProjectId) => (await tested.app.loop.project(pid)).status;
  const answer = async (page: Page, button: string, words: string) => {
    await page.getByRole('button', { name: button, exact: true }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('#asked').fill(words);
    await mustBeAccessible(page, button);
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };

  it('is a gate: it is rejected with a note, approved, and the loop goes on to the next', async () => {
    const settings = { gates: { prd: true, sdd: true } };
    const { pid } = await tested.app.loop.create({ requirement: recordedRequirement('todo'), settings });
    const { page, faults, close } = await tested.open(`/p/${pid}`);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('[data-gate=prd]').waitFor({ timeout: 60_000 });
    await mustBeAccessible(page, 'a gate');
    assert.equal(await page.locator('[data-node=gate-prd]').getAttribute('data-state'), 'waiting_approval');
    await page.getByRole('link', { name: 'Read it' }).click();
    await page.locator('.file-lines [data-line="1"]').waitFor();
    const { path } = await tested.app.loop.project(pid);
    const [first] = gitIn(path, tested.folder)('show', 'HEAD:prd/prd.md').split('\n');
    assert.equal(await page.locator('[data-line="1"] code').textContent(), first);
    await page.getByRole('link', { name: 'Overview' }).click();
    await answer(page, 'Approve', '');
    await page.locator('[data-gate=sdd]').waitFor({ timeout: 60_000 });
    assert.equal(await page.locator('[data-node=gate-prd]').getAttribute('data-state'), 'done');
    await answer(page, 'Reject', 'smaller units');
    await page.locator('[data-gate=sdd]').waitFor({ state: 'detached' });
    await tested.app.loop.settled(pid);
    const timeline = readFileSync(join(path, 'timeline.ndjson'), 'utf8');
    assert.match(timeline, /"kind":"gate_waiting","gate":"prd"/);
    assert.deepEqual(faults, []);
    await close();
  });

  it('is decided once: who is late is told, sends nothing, and keeps what was written', async () => {
    const settings = { gates: { prd: true, sdd: false } };
    const { pid } = await tested.app.loop.create({ requirement: recordedRequirement('todo'), settings });
    const [first, late] = [await tested.open(`/p/${pid}`), await tested.open(`/p/${pid}`)];
    await first.page.getByRole('button', { name: 'Run' }).click();
    await late.page.locator('[data-gate=prd]').waitFor({ timeout: 60_000 });
    await late.page.getByRole('button', { name: 'Reject' }).click();
    await late.page.locator('#asked').fill('words of half an hour');
    await answer(first.page, 'Approve', '');
    await late.page.getByText('It was answered meanwhile').waitFor();
    await mustBeAccessible(late.page, 'a late answer');
    assert.equal(await late.page.locator('#asked').inputValue(), 'words of half an hour');
    assert.equal(await late.page.getByRole('dialog').getByRole('button', { name: 'Reject' }).isEnabled(), false);
    await late.page.keyboard.press('Escape');
    await late.page.getByRole('dialog').waitFor({ state: 'detached' });
    await tested.app.loop.settled(pid);
    assert.equal((await tested.app.loop.project(pid)).revisions.prd, 1, 'nothing was rejected');
    assert.deepEqual([...first.faults, ...late.faults], []);
    await first.close();
    await late.close();
  });

  it('is a project to give feedback to, to sign off, or to abandon with a reason, as git then says', async () => {
    const { pid } = await tested.app.loop.create({ requirement: 'nothing yet' });
    const { path } = await tested.app.loop.project(pid);
    const { page, faults, close } = await tested.open(`/p/${pid}`);
    await answer(page, 'Give feedback', 'items need a due date');
    await answer(page, 'Abandon', 'bought one instead');
    await page.locator('.states [data-state=abandoned]').waitFor();
    assert.equal(gitIn(path, tested.folder)('log', '-1', '--format=%s'), 'chore: abandon · bought one instead');
    assert.equal(await page.locator('.commands button').count(), 0, 'nothing more can be done');
    assert.deepEqual(faults, []);
    await close();
  });

  it('is files that somebody else has written: they are shown, and reset to HEAD for just the state that was shown', async () => {
    const { pid } = await tested.app.loop.create({ requirement: 'somebody writes' });
    const { path } = await tested.app.loop.project(pid);
    const git = gitIn(path, tested.folder);
    appendFileSync(join(path, '.gitignore'), 'mine\n');
    const { page, faults, close } = await tested.open(`/p/${pid}/history`);
    await page.getByRole('button', { name: 'Look at them' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('.diff-files li').first().waitFor();
    assert.deepEqual(await counts(page, '.gitignore'), ['+0', '−1'], 'what goes');
    await mustBeAccessible(page, 'files that somebody has written');
    appendFileSync(join(path, '.gitignore'), 'mine too\n');
    await dialog.getByRole('button', { name: 'Reset to HEAD' }).click();
    await dialog.locator('[data-code=precondition_failed]').waitFor();
    await mustBeAccessible(page, 'files that have changed meanwhile');
    assert.match(git('diff', '--', '.gitignore'), /mine too/, 'nothing was reset');
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByRole('button', { name: 'Look at them' }).click();
    await dialog.getByRole('button', { name: 'Reset to HEAD' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Files in no commit').waitFor({ state: 'detached' });
    assert.equal(git('diff', '--', '.gitignore'), '');
    const [rescue = ''] = git('for-each-ref', '--format=%(refname)', 'refs/devloop/rescue').split('\n');
    assert.match(git('show', `${rescue}:.gitignore`), /mine too/);
    assert.deepEqual(faults, []);
    await close();
  });

  it('is files of a crash: each choice shows its difference, and is made for just the state that was shown', async () => {
    const { pid } = await tested.app.loop.create({ requirement: 'leaves files' });
    const { path } = await tested.app.loop.project(pid);
    const git = gitIn(path, tested.folder);
    await tested.stop();
    appendFileSync(join(path, '.gitignore'), 'more\n');
    writeFileSync(join(path, 'prd-notes.md'), 'one\ntwo\n');
    await tested.start();
    const { page, faults, close } = await tested.open('/');
    await page.locator(`[data-waiting="${pid}"]`).waitFor();
    await mustBeAccessible(page, 'projects that wait');
    await page.locator(`[data-waiting="${pid}"] a`).click();
    await page.locator('.banner[data-snapshot]').waitFor();
    await page.locator('.diff-files li').nth(1).waitFor();
    await mustBeAccessible(page, 'files of a crash');
    const [plus, minus] = git('diff', '--numstat').split('\t');
    assert.deepEqual(await counts(page, '.gitignore'), [`+${plus}`, `−${minus}`]);
    assert.deepEqual(await counts(page, 'prd-notes.md'), ['+2', '−0']);
    await page.getByRole('radio', { name: /Reset to HEAD/ }).check();
    assert.deepEqual(await counts(page, 'prd-notes.md'), ['+0', '−2'], 'a reset takes it away');
    writeFileSync(join(path, 'prd-notes.md'), 'one\ntwo\nthree\n');
    await page.getByRole('button', { name: 'Reset to HEAD' }).click();
    await page.locator('[data-code=plan_stale]').waitFor();
    assert.equal(readFileSync(join(path, 'prd-notes.md'), 'utf8'), 'one\ntwo\nthree\n', 'nothing was reset');
    await page.locator('[data-path="prd-notes.md"] .minus', { hasText: '3' }).waitFor();
    await mustBeAccessible(page, 'a stale choice');
    await page.getByRole('radio', { name: /Look at them by hand/ }).check();
    await page.getByRole('button', { name: 'Look at them by hand' }).click();
    await page.getByText('Marked as being looked at').waitFor();
    await page.getByRole('radio', { name: /Reset to HEAD/ }).check();
    await page.getByRole('button', { name: 'Reset to HEAD' }).click();
    await page.locator('.banner[data-snapshot]').waitFor({ state: 'detached' });
    assert.equal(git('status', '--porcelain', '--', '.gitignore', 'prd-notes.md'), '');
    await page.getByRole('link', { name: 'Export' }).click();
    const rescue = page.locator('[data-rescue]');
    await rescue.waitFor();
    const ref = `refs/devloop/rescue/${await rescue.getAttribute('data-rescue')}`;
    assert.equal(git('show', `${ref}:prd-notes.md`), 'one\ntwo\nthree');
    await mustSettle(page);
    await mustBeAccessible(page, 'rescues');
    await rescue.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(readFileSync(join(path, 'prd-notes.md'), 'utf8'), 'one\ntwo\nthree\n', 'and back');
    assert.notEqual(await statusOf(pid), 'running');
    assert.deepEqual(faults, []);
    await close();
  });
});

/** Added and deleted lines of a file, as the difference lists them. */
async function counts(page: Page, path: string): Promise<readonly (string | null)[]> {
  const row = page.locator(`.diff-files [data-path="${path}"]`);
  return [await row.locator('.plus').textContent(), await row.locator('.minus').textContent()];
}
