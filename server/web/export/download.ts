import { ask } from '../api/call.ts';
import { projectApi } from '../api/project-api.ts';
import { readPages } from '../shell/read-pages.ts';

export const FORMATS = ['zip', 'tar.gz', 'bundle', 'trace'] as const;
export type Format = (typeof FORMATS)[number];

/** A file that was handed to the browser to keep. */
export interface Saved {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string | undefined;
  /** When, to tell two of one name apart. */
  readonly at: number;
}

/** Fetches an export with the token, hands it to the browser to save, and tells its digest. Throws Problem. */
export async function download(
  pid: string,
  { format, ref }: { readonly format: Format; readonly ref: string },
): Promise<Saved> {
  const { name, content } = format === 'trace' ? await wholeTrace(pid) : await fetched(pid, format, ref);
  save(content, name);
  return { name, size: content.size, sha256: await digestOf(content), at: Date.now() };
}

interface Content {
  readonly name: string;
  readonly content: Blob;
}

/** The trace comes in pages: all of them as one list. */
async function wholeTrace(pid: string): Promise<Content> {
  const { items } = await readPages((cursor) => projectApi.trace(pid, { format: 'agent-trace', limit: 100, cursor }));
  const name = `${pid}-trace.json`;
  return { name, content: new Blob([JSON.stringify({ items })], { type: 'application/json' }) };
}

async function fetched(pid: string, format: Format, ref: string): Promise<Content> {
  const { path, query } = addressOf(pid, format, ref);
  const response = await ask('GET', path, { query });
  return { name: nameIn(response) ?? `${pid}.${format}`, content: await response.blob() };
}

/** In hex; undefined where the browser does not tell it: it does on HTTPS and on this machine alone. */
async function digestOf(content: Blob): Promise<string | undefined> {
  if (!isSecureContext) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', await content.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function addressOf(pid: string, format: Format, ref: string) {
  if (format === 'bundle') return { path: projectApi.place(pid, 'bundle'), query: {} };
  return { path: projectApi.place(pid, 'archive'), query: { ref, format } };
}

const nameIn = (response: Response): string | undefined =>
  /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1];

function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken it up by the next turn of the loop.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
