import type { Setting } from './setting.ts';
import { SETTING_NAMES, SETTINGS } from './settings.ts';
import type { Env } from './xdg.ts';

/** The environment for a program that is run for the caller: without what only we may know. */
export function withoutCredentials(env: Env): Env {
  const ours = SETTING_NAMES.map((name): Setting => SETTINGS[name]).filter((one) => one.environmentOnly);
  const names = new Set(ours.map((one) => one.env));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)));
}
