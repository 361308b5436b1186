import { type BytePath, bytePathFromText, isWithin, parseBytePath } from '../../domain/byte-path.ts';
import type { CallId } from '../../domain/ids.ts';

export type PathCheck =
  | { readonly kind: 'path'; readonly path: BytePath }
  | { readonly kind: 'refused'; readonly why: string };

/** The server's own at the project's root: an agent neither reads nor writes it. */
const HIDDEN = new Set(['agent-state', 'history', 'stream.log', 'timeline.ndjson', 'bugs.ndjson', 'changelog.ndjson']);
const NO_PART_OF_A_NAME = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** Parses a path that a model gave, relative to the project's root (`.` is the root), and refuses what no agent may see. */
export function visiblePath(text: string, call: CallId): PathCheck {
  const plain = text.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '');
  if (text.startsWith('/')) return refusal(text, "must be relative to the project's root");
  if (plain === '' || plain === '.') return { kind: 'path', path: '' as BytePath };
  const path = parseBytePath(bytePathFromText(plain));
  if (path === undefined) return refusal(text, 'must be a plain relative path, without empty, `.` or `..` parts');
  if (isWithin(path, outFolder(call))) return { kind: 'path', path };
  if (isHidden(plain)) return refusal(text, "is DevLoop's own");
  return { kind: 'path', path };
}

/** True for names that any file system could take for `.git` or, at the root, for the server's own files. */
export function isHidden(plain: string): boolean {
  const names = plain.split('/').map(folded);
  return names.some((name) => name === '.git' || name === 'git~1') || HIDDEN.has(names[0] ?? '');
}

function outFolder(call: CallId): BytePath {
  return bytePathFromText(`agent-state/calls/${call}/out`);
}

/** The name as the most forgiving file system reads it: case, compatibility forms, invisible signs, trailing dots and blanks, streams. */
function folded(name: string): string {
  const bare = name.normalize('NFKC').replace(NO_PART_OF_A_NAME, '').toLowerCase();
  return bare.replace(/:.*$/s, '').replace(/[. ]+$/, '');
}

function refusal(text: string, why: string): PathCheck {
  return { kind: 'refused', why: `${JSON.stringify(text)} ${why}` };
}
