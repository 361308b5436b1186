import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Holds what a tab shows against every rule of axe. */
export async function mustBeAccessible(page: Page, what: string): Promise<void> {
  await page.evaluate(source);
  const results: AxeResults = await page.evaluate('axe.run()');
  const said = results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}\n${failureSummary}`),
  );
  assert.deepEqual(said, [], what);
}
