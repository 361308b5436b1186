import { lstatSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { findStores } from './find-stores.ts';
import type { OpenWorkspace } from './open-workspace.ts';

const MOST_NAMED = 3;

/** For a folder without what is asked for: which histories lost their folders, and may be its own, nearest ones first. */
export function movedHint({ root, options }: Pick<OpenWorkspace, 'root' | 'options'>): string | undefined {
  const lost = findStores(options.stateDir).filter((one) => one.root !== root && !isThere(one.root));
  const near = (one: { readonly root: string }): number =>
    Number(dirname(one.root) !== dirname(root)) + Number(basename(one.root) !== basename(root));
  const [first, ...others] = lost.sort((a, b) => near(a) - near(b)).slice(0, MOST_NAMED);
  if (first === undefined) return undefined;
  const list = [first, ...others].map((one) => `${one.root} (${one.id})`).join(', ');
  return `Was this folder moved? Gone is ${list}. \`devloop protect forget\` here and \`devloop protect attach ${first.id}\` give it that history.`;
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
