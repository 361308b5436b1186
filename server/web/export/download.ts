import { ask } from '../api/call.ts';
import { projectApi } from '../api/project-api.ts';

export const FORMATS = ['zip', 'tar.gz', 'bundle', 'trace'] as const;
export type Format = (typeof FORMATS)[number];

/** A file that was handed to the browser to keep. */
export interface Saved {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  /** When, to tell two of one name apart. */
  readonly at: number;
}

/** Fetches an export with the token, hands it to the browser to save, and tells its digest. Throws Problem. */
export async function download(
  pid: string,
  { format, ref }: { readonly format: Format; readonly ref: string },
): Promise<Saved> {
  const { path, query } = addressOf(pid, format, ref);
  const response = await ask('GET', path, { query });
  const content = await response.blob();
  const digest = await crypto.subtle.digest('SHA-256', await content.arrayBuffer());
  const name = nameIn(response) ?? `${pid}-trace.json`;
  save(content, name);
  const sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { name, size: content.size, sha256, at: Date.now() };
}

function addressOf(pid: string, format: Format, ref: string) {
  if (format === 'bundle') return { path: projectApi.place(pid, 'bundle'), query: {} };
  if (format === 'trace') return { path: projectApi.place(pid, 'trace'), query: { format: 'agent-trace', limit: 100 } };
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
