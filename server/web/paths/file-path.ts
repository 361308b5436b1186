import { visibleLine } from '../shell/visible.ts';

/** A path as the API has it: a readable form, and the bytes in base64 where they are no UTF-8. */
export interface FilePath {
  readonly path: string;
  readonly path_b64?: string | undefined;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Tells two paths apart, also where their readable forms are the same. */
export const pathKey = ({ path, path_b64 }: FilePath): string => path_b64 ?? path;

/** The path of bytes, each character of the string being one. */
export function pathOfBytes(bytes: string): FilePath {
  const path = decoded(bytes);
  return path === undefined ? { path: new TextDecoder().decode(arrayOf(bytes)), path_b64: btoa(bytes) } : { path };
}

/** Each folder that leads to a path, the outermost first, and the path itself. */
export function wayTo({ path, path_b64 }: FilePath): readonly FilePath[] {
  const parts = (path_b64 === undefined ? path : atob(path_b64)).split('/').filter((part) => part !== '');
  const whole = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  return whole.map((one) => (path_b64 === undefined ? { path: one } : pathOfBytes(one)));
}

/** A path on one line, with signs for what hides and, as `⟨ff⟩`, for bytes that are no text. */
export function pathLine({ path, path_b64 }: FilePath): string {
  if (path_b64 === undefined) return visibleLine(path);
  const bytes = atob(path_b64);
  let line = '';
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((count) => decoded(bytes.slice(at, at + count)) !== undefined);
    const piece = bytes.slice(at, at + (length ?? 1));
    line += length === undefined ? `⟨${piece.charCodeAt(0).toString(16)}⟩` : visibleLine(decoded(piece) ?? '');
    at += piece.length;
  }
  return line;
}

function decoded(bytes: string): string | undefined {
  try {
    return strict.decode(arrayOf(bytes));
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

const arrayOf = (bytes: string): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
