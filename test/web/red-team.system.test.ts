import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { ProjectId } from '../../server/domain/ids.ts';
import { mustBeAccessible } from './axe.ts';
import { evilProject } from './evil-project.ts';
import { goTo, inPage } from './in-page.ts';
import { mustFit, mustSettle } from './must-fit.ts';
import { type PageUnderTest, pageUnderTest } from './page-under-test.ts';

describe('a project whose every string is an attack', () => {
  let tested: PageUnderTest;
  let pid: ProjectId;
  before(async () => {
    tested = await pageUnderTest();
    pid = await evilProject(tested);
  });
  after(() => tested[Symbol.asyncDispose]());

  it('is shown as text in every view: nothing runs, nothing becomes markup, nothing is asked, nothing hides', async () => {
    const { page, faults, close } = await tested.open('/');
    await page.locator(`tr[data-pid="${pid}"]`).waitFor();
    await mustBeHarmless(page, 'the list');
    const { head, units, calls } = await tested.app.loop.project(pid);
    const runs = await tested.app.loop.runs(pid);
    const views = [
      '',
      '/runs',
      ...calls.slice(0, 4).map(({ call }) => `/runs/${call}`),
      ...runs.filter(({ outcome }) => outcome === 'red').map(({ run }) => `/runs/${run}`),
      ...units.map(({ id }) => `/units/${id}`),
      '/history',
      `/history/${head}`,
      '/files?path=prd',
      `/files?path=${encodeURIComponent('prd/<img src=x onerror=alert(5)>')}`,
      `/files?file=${encodeURIComponent('prd/<img src=x onerror=alert(5)>/ & "quoted".js')}`,
      `/files?file=${encodeURIComponent('sdd/index.html')}`,
      '/compare?from=prd-rev-1&to=HEAD',
      `/compare?from=attempts/counter/1/1&to=HEAD&view=unified`,
      `/compare?from=${encodeURIComponent('<img src=x onerror=alert(7)>')}&to=HEAD`,
      '/events',
      '/export',
    ];
    for (const view of views) await mustHold(page, `#/p/${pid}${view}`);
    assert.deepEqual(faults, []);
    await close();
  });

  it('has no power as a folder of a person either: names, reasons and paths are text', async () => {
    const root = join(tested.folder, '<img src=x onerror=alert(8)>');
    mkdirSync(root);
    const names = ['<script>alert(9)<\\script>.txt', '\x1b[31mred\u202e.md', '" onload="alert(10)'];
    for (const name of names) writeFileSync(join(root, name), '<svg onload=alert(11)>\n');
    const { workspaces } = tested.app.services;
    const { id } = await workspaces.add(root, { name: '<b>bold</b>\u202e' });
    const words = { reason: '<script>alert(12)</script>\x1b[2J', name: 'first' };
    const point = await workspaces.use(id, (found) => found.takePoint(words));
    for (const name of names) writeFileSync(join(root, name), 'changed\n');
    const { page, faults, close } = await tested.open('/w');
    for (const view of [
      '',
      `/${id}`,
      `/${id}/point/${point.id}`,
      `/${id}/restore?checkpoint=${point.id}`,
      `/${id}/protection?path=${encodeURIComponent(names[0] ?? '')}`,
      `/${id}/settings`,
    ])
      await mustHold(page, `#/w${view}`);
    assert.deepEqual(faults, []);
    await close();
  });

  it('cannot be reached with a token in the address or a cookie, and the policy allows no inline script', async () => {
    const answer = await fetch(`${tested.url}/`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'self'/);
    assert.doesNotMatch(policy, /unsafe|data:|\*/);
    assert.equal(answer.headers.get('set-cookie'), null);
    const html = await answer.text();
    assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|<style|\son\w+=|style=/);
    assert.equal((await fetch(`${tested.url}/api/devloop/projects?token=page-token-0123456789`)).status, 401);
    const { page, close } = await tested.open(`/p/${pid}`);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.reload();
    await page.locator('.pill[data-link=live]').waitFor();
    assert.ok(asked.length > 3 && asked.every((url) => !url.includes('page-token')));
    assert.deepEqual(await page.context().cookies(), []);
    await close();
  });
});

/** In a view of the page nothing ran, all can be used, and nothing is cut off. */
async function mustHold(page: Page, address: string): Promise<void> {
  await goTo(page, address);
  await mustSettle(page);
  await page.waitForTimeout(100);
  await mustBeHarmless(page, address);
  await mustBeAccessible(page, address);
  await mustFit(page, address);
}

async function mustBeHarmless(page: Page, what: string): Promise<void> {
  const markup = page.locator(
    '#page script, #page iframe, #page [onload], #page [onerror], #page img:not([src="/icon.svg"]), #page a[href^="javascript" i], style',
  );
  assert.equal(await markup.count(), 0, what);
  const told = await inPage<string[]>(
    page,
    `[document.title, document.body.innerText, ...[...document.querySelectorAll('[title], [aria-label]')].flatMap((one) => [one.title, one.ariaLabel])]`,
  );
  assert.doesNotMatch(told.join('|'), /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/, what);
}
