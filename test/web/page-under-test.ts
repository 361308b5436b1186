import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { buildPage } from '../../scripts/build-page.ts';
import { type App, openApp } from '../../server/app.ts';
import type { HttpServer } from '../../server/http/index.ts';
import { systemClock } from '../../server/io/clock.ts';
import { createLogger } from '../../server/io/logger.ts';
import { ROOT } from '../support/running-server.ts';
import { chromiumPath } from './chromium-path.ts';

export const TOKEN = 'page-token-0123456789';

/** The page as it is shipped, on a real server over a data folder of its own, in the system's Chromium. */
export interface PageUnderTest {
  readonly folder: string;
  readonly browser: Browser;
  readonly app: App;
  readonly url: string;
  /** Opens a tab at an address such as `/p/p-abc`, which has the token. What the tab does wrong is in `faults`. */
  open(place: string, options?: BrowserContextOptions): Promise<Tab>;
  /** A link as `devloop serve` prints it. */
  link(): string;
  /** Ends the server, its streams and the app. */
  stop(): Promise<void>;
  /** Opens the app anew on the same data folder and the same port. */
  start(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Tab {
  readonly page: Page;
  /** Errors of scripts, refusals of the policy, and requests to another host than the server. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

export async function pageUnderTest(): Promise<PageUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'devloop-page-'));
  const built = join(folder, 'page');
  await buildPage(built);
  let running = await serve(folder, { page: built, port: 0 });
  const { port } = running;
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
  const tested: PageUnderTest = {
    folder,
    browser,
    url: `http://127.0.0.1:${port}`,
    get app() {
      return running.app;
    },
    link: () => `http://127.0.0.1:${port}/#key=${running.http.issueKey()}`,
    open: (place, options = {}) => openTab(browser, `http://127.0.0.1:${port}/#${place}`, options),
    stop: async () => {
      await running.app.loop.stop();
      await running.http.close(0);
      await running.app.close();
    },
    start: async () => {
      running = await serve(folder, { page: built, port });
    },
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await tested.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return tested;
}

interface Running {
  readonly app: App;
  readonly http: HttpServer;
  readonly port: number;
}

async function serve(
  folder: string,
  { page, port }: { readonly page: string; readonly port: number },
): Promise<Running> {
  const app = await openApp({
    dataDir: join(folder, 'data'),
    templates: join(ROOT, 'templates'),
    log: createLogger({ level: 'error', clock: systemClock, write: (line) => process.stderr.write(line) }),
    sandbox: 'off',
    path: process.env.PATH ?? '',
    team: { default: { driver: 'recorded' } },
    maxFileBytes: 50_000_000,
    secret: () => undefined,
    onLost: () => assert.fail('the data folder was lost'),
  });
  await app.booted;
  const http = app.server({ token: TOKEN, version: '0.0.0', page, hosts: [`devloop.test:${port}`] });
  const listening = await http.listen({ host: '127.0.0.1', port });
  return { app, http, port: listening.port };
}

async function openTab(browser: Browser, address: string, options: BrowserContextOptions): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB', ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  const { origin } = new URL(address);
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // A server that is away, and an answer that says no, are told there too.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(`${origin}/`))
      faults.push(`asked ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.addInitScript((token) => sessionStorage.setItem('devloop.token', token), TOKEN);
  await page.goto(address);
  return { page, faults, close: () => context.close() };
}
