// Makes the pictures of docs/page.md anew: the main states of the page, light and dark, wide and narrow. Needs Chromium.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { recordedRequirement } from '../test/support/demo-project.ts';
import { type PageUnderTest, pageUnderTest } from '../test/web/page-under-test.ts';

type Settings = NonNullable<Parameters<PageUnderTest['app']['loop']['create']>[0]['settings']>;

const DOCS = join(import.meta.dirname, '..', 'docs');
const WIDE = { viewport: { width: 1280, height: 800 } } as const;
const NARROW = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const;

await using tested = await pageUnderTest();
const running = await startProject(tested, 'To-dos');
await picture('page-running', `/p/${running}`, WIDE, (page) =>
  page.locator('[data-node=unit-summary].tone-busy').waitFor({ timeout: 60_000 }),
);
await tested.app.loop.settled(running);
await picture('page-runs', `/p/${running}/runs`, WIDE, async (page) => {
  await page
    .locator('tr', { has: page.locator('[data-state=red]') })
    .locator('a')
    .first()
    .click();
  await page.locator('.checks').waitFor();
});
const compared = `/p/${running}/compare?from=attempts/store/1/1&to=main&path=units/store/code/store.mjs`;
await picture('page-compare-dark', compared, { ...WIDE, colorScheme: 'dark' }, (page) =>
  page.locator('.is-changed mark').first().waitFor(),
);
await picture('page-narrow-dark', `/p/${running}`, NARROW, (page) => page.locator('.latest .event').first().waitFor());
await picture('page-take-back', `/p/${running}/history`, WIDE, async (page) => {
  await page.locator('.commit a', { hasText: 'retry' }).click();
  await page.getByRole('button', { name: 'Take it back' }).click();
  await page.locator('dialog .diff-files [data-path="units/store/code/store.mjs"]').click();
});
const gated = await startProject(tested, 'To-dos', { gates: { prd: true, sdd: false } });
await picture('page-gate-narrow', `/p/${gated}`, { ...NARROW, colorScheme: 'light' }, (page) =>
  page.locator('[data-gate=prd]').waitFor({ timeout: 60_000 }),
);
await picture('page-restore', await workspaceWithTurn(tested), WIDE, (page) => page.locator('.plan-sum').waitFor());

async function startProject({ app }: PageUnderTest, name: string, settings: Settings = {}) {
  const { pid } = await app.loop.create({ requirement: recordedRequirement('todo'), name, settings });
  await app.loop.run(pid);
  return pid;
}

/** A folder in which an agent changed three files; the address of the plan that takes it back. */
async function workspaceWithTurn({ app, folder }: PageUnderTest): Promise<string> {
  const root = join(folder, 'notes');
  mkdirSync(join(root, 'src'), { recursive: true });
  for (const name of ['src/app.js', 'src/list.js', 'README.md']) writeFileSync(join(root, name), `// ${name}\n`);
  const { workspaces } = app.services;
  const { id } = await workspaces.add(root, { name: 'notes' });
  const { turn } = await workspaces.beginTurn(id, { task_id: 'T-12', actor: 'claude', reason: 'tidy the imports' });
  writeFileSync(join(root, 'src/app.js'), '// tidied\n');
  writeFileSync(join(root, 'src/new.js'), '// new\n');
  rmSync(join(root, 'README.md'));
  await workspaces.endTurn(id, turn);
  while ((await workspaces.use(id, (found) => found.turns()))[0]?.state !== 'ended')
    await new Promise((resolve) => setTimeout(resolve, 50));
  return `/w/${id}/restore?turn_offset=0`;
}

async function picture(
  name: string,
  place: string,
  options: BrowserContextOptions,
  ready: (page: Page) => Promise<void>,
): Promise<void> {
  const { page, faults, close } = await tested.open(place, { ...options, timezoneId: 'UTC' });
  await ready(page);
  // Where the pictures are made is nobody's business.
  await page.evaluate(
    `for (const one of document.querySelectorAll('.mono')) one.textContent = one.textContent.replace(${JSON.stringify(tested.folder)}, '/home/me')`,
  );
  await page.screenshot({ path: join(DOCS, `${name}.png`) });
  if (faults.length > 0) throw new Error(faults.join('\n'));
  await close();
}
