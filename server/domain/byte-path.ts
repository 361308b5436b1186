declare const bytePath: unique symbol;

/**
 * A relative path as bytes: each character of the string is one byte (latin1), `/` separates, no leading or trailing slash.
 * Comparing two as strings is git's byte order. The empty string is the root. Never shown to people as it is: use `pathText`.
 */
export type BytePath = string & { readonly [bytePath]: true };

/** A path for JSON: UTF-8 text where the bytes are UTF-8, else a readable form besides the bytes in base64. */
export interface PathText {
  readonly path: string;
  readonly path_b64?: string;
}

const encoder = new TextEncoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Takes a string whose characters are bytes already (from `readdir` with encoding latin1, from git's output read as latin1). */
export function bytePathFromLatin1(raw: string): BytePath {
  return raw as BytePath;
}

/** Takes UTF-8 text. */
export function bytePathFromText(text: string): BytePath {
  if (isAscii(text)) return text as BytePath;
  let raw = '';
  for (const byte of encoder.encode(text)) raw += String.fromCharCode(byte);
  return raw as BytePath;
}

export function bytesOf(path: BytePath): Uint8Array {
  return Uint8Array.from(path, (char) => char.charCodeAt(0));
}

/** The form for JSON and for people; `fromPathText` is its inverse. */
export function pathText(path: BytePath): PathText {
  if (isAscii(path)) return { path };
  const bytes = bytesOf(path);
  try {
    return { path: strictDecoder.decode(bytes) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { path: new TextDecoder('utf-8').decode(bytes), path_b64: btoa(path) };
  }
}

export function fromPathText(text: PathText): BytePath {
  return text.path_b64 === undefined ? bytePathFromText(text.path) : (atob(text.path_b64) as BytePath);
}

/**
 * Parses a relative path that came from outside: no empty, `.` or `..` segment, no NUL, not absolute.
 * @returns undefined where it is not one.
 */
export function parseBytePath(raw: BytePath): BytePath | undefined {
  if (raw === '' || raw.includes('\0')) return undefined;
  const bad = raw.split('/').some((segment) => segment === '' || segment === '.' || segment === '..');
  return bad ? undefined : raw;
}

export function joinPath(parent: BytePath, name: string): BytePath {
  return (parent === '' ? name : `${parent}/${name}`) as BytePath;
}

/** The folder above; the root for a single name. */
export function parentPath(path: BytePath): BytePath {
  const slash = path.lastIndexOf('/');
  return (slash < 0 ? '' : path.slice(0, slash)) as BytePath;
}

export function baseName(path: BytePath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** True for the path itself and for everything below it; everything is below the root. */
export function isWithin(path: BytePath, folder: BytePath): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}
