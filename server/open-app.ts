import type { App, AppOptions } from './app.ts';

/**
 * Takes the data folder and builds the app. What it is made of is loaded then: who only keeps turns does not wait for it.
 * @throws DevLoopError data_folder_owned, git_failed
 */
export async function openApp(options: AppOptions): Promise<App> {
  const app = await import('./app.ts');
  return app.openApp(options);
}
