import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DevLoopError } from '../domain/errors.ts';
import type { CommandContext } from './command.ts';
import { flag } from './flags.ts';

export const DOWNLOAD_FLAGS = {
  output: flag.text('-o, --output <file>', 'where to; `-` is stdout; the name that the server gives where absent'),
};

export interface SavedDownload {
  /** Absolute path; absent where it went to stdout. */
  readonly file?: string;
  readonly bytes: number;
}

/** Saves a download under its name, whole or not at all. */
export async function saveDownload(
  response: Response,
  output: string | undefined,
  context: CommandContext,
): Promise<SavedDownload> {
  const name = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'download';
  if (response.body === null) throw new DevLoopError('internal', 'The server sent no content.');
  return saveStream(response.body, output ?? name.replaceAll('/', '-'), context);
}

/** Saves bytes in a file of the caller's, whole or not at all; `-` is stdout. */
export async function saveStream(
  content: ReadableStream<Uint8Array>,
  name: string,
  context: CommandContext,
): Promise<SavedDownload> {
  const counted = counter(content);
  if (name === '-') {
    for await (const chunk of counted.chunks) await context.terminal.out(chunk);
    return { bytes: counted.bytes() };
  }
  const file = resolve(context.cwd, name);
  if (existsSync(file) && !(await context.terminal.confirm(`${file} exists. Overwrite it?`, { yes: context.yes }))) {
    throw new DevLoopError('conflict', `${file} exists.`);
  }
  const part = `${file}.part`;
  try {
    await pipeline(Readable.from(counted.chunks), createWriteStream(part));
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    if (!(error instanceof TypeError)) throw error;
    throw new DevLoopError('internal', 'The download broke off; nothing was saved.', { cause: error });
  }
  return { file, bytes: counted.bytes() };
}

export function downloadText({ file, bytes }: SavedDownload): string {
  return file === undefined ? '' : `${file} (${bytes} bytes)\n`;
}

function counter(body: ReadableStream<Uint8Array>): {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly bytes: () => number;
} {
  let bytes = 0;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  return { chunks: chunks(), bytes: () => bytes };
}
