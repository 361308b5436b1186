import type { Diff, FileChange } from '../api/types.ts';
import { type PatchFile, parsePatch } from '../diff/parse-patch.ts';

/** Files that the server itself writes: they tell what happened, and stay as they are when a commit is taken back. */
const SERVERS_OWN = /^(?:(?:timeline|bugs|changelog)\.ndjson|project\.json|units\/[^/]+\/coder\.log)$/;

/** What of a commit's difference is taken back with it. */
export function takenBack({ patch, files }: Diff): {
  readonly files: readonly FileChange[];
  readonly documents: readonly PatchFile[];
} {
  const isTaken = ({ path }: { readonly path: string }): boolean => !SERVERS_OWN.test(path);
  return { files: files.filter(isTaken), documents: parsePatch(patch).filter(isTaken) };
}
