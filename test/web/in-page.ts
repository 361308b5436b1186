import type { Locator, Page } from 'playwright-core';

/** Leads a tab that is open to another view, as a link of the page would. */
export async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
}

/** An attribute of each element that fits, in their order; empty where one has none. */
export async function attributes(elements: Locator, name: string): Promise<readonly string[]> {
  const all = await elements.all();
  return Promise.all(all.map(async (one) => (await one.getAttribute(name)) ?? ''));
}

/** What an expression is in the tab: the tests are checked without a browser's types. */
export const inPage = <Value>(page: Page, expression: string): Promise<Value> => page.evaluate<Value>(expression);

/** The text of what has the keyboard's focus. */
export const focused = (page: Page): Promise<string | undefined> => inPage(page, 'document.activeElement?.textContent');

/** What this asks of a canvas; the tests' own types have no browser. */
interface Drawing {
  readonly height: number;
  getContext(kind: '2d'): { getImageData(x: number, y: number, w: number, h: number): { data: Iterable<number> } };
}

/** Red, green and blue of a drawing at half its height. */
export const pixelOf = (canvas: Locator, x: number): Promise<readonly number[]> =>
  canvas.evaluate((at, x) => {
    const drawing = at as unknown as Drawing;
    return [...drawing.getContext('2d').getImageData(x, drawing.height / 2, 1, 1).data].slice(0, 3);
  }, x);
