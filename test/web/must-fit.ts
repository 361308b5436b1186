import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inPage } from './in-page.ts';

/** Waits until nothing that is shown is still being asked for. */
export async function mustSettle(page: Page): Promise<void> {
  await page.locator('p.note-empty[role=status]').first().waitFor({ state: 'detached' });
}

/** The page itself never scrolls sideways: what is wider than the window scrolls within its own box. */
export async function mustFit(page: Page, what: string): Promise<void> {
  const [wide = 0, room = 0] = await inPage<number[]>(
    page,
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  assert.ok(wide <= room, `${what}: ${wide} pixels in ${room}`);
}
