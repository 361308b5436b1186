import { type Config, loadConfig } from './load-config.ts';

/** The settings of a program that uses the library: those of its environment and of the folder that it runs in. */
export function processConfig(): Config {
  return loadConfig({ flags: {}, env: process.env, cwd: process.cwd() });
}
