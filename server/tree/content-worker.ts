/** A thread that reads files and puts them into a pack of its own; started by content-thread.ts. */
import { parentPort } from 'node:worker_threads';
import { type BytePath, baseName } from '../domain/byte-path.ts';
import { LARGE_BYTES } from '../git/objects/deflate.ts';
import { ForeignPacks } from '../git/objects/foreign-packs.ts';
import { openObjectStore } from '../git/objects/object-store.ts';
import { type ObjectWriter, openObjectWriter } from '../git/objects/object-writer.ts';
import type { ContentReply, ContentRequest, WorkerOrders } from './content-messages.ts';
import type { DiskFile } from './disk-tree.ts';
import type { ObjectSink } from './object-sink.ts';
import { packFiles } from './packed-files.ts';
import { type ContentEntry, readContent } from './read-content.ts';

/** A file that has grown since it was looked at is left to whoever asked. */
const TOO_LARGE = new Error('too large');
/** One for all files: a buffer each is garbage of ten times what a thread needs besides. */
const scratch = Buffer.allocUnsafeSlow(LARGE_BYTES - 1);

interface Work {
  readonly root: string;
  readonly packs: ForeignPacks;
  readonly writer: ObjectWriter;
  readonly sink: ObjectSink;
}

/** Absent while there is none. */
let work: Work | undefined;

parentPort?.on('message', async (request: ContentRequest) => {
  try {
    reply(await answer(request));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    reply({ kind: 'failed', message: String(error), ...(code !== undefined && { code }) });
  }
});

const reply = (message: ContentReply): void => parentPort?.postMessage(message);

async function answer(request: ContentRequest): Promise<ContentReply> {
  switch (request.kind) {
    case 'begin':
      work = begin(request.orders);
      return { kind: 'done' };
    case 'read':
      return { kind: 'read', files: packFiles(request.paths.map((path) => take(path, work))) };
    case 'finish':
      await work?.writer.finish();
      end();
      return { kind: 'done' };
    case 'abort':
      await work?.writer.abort();
      end();
      return { kind: 'done' };
  }
}

function begin({ root, objects, largeBytes, foreign }: WorkerOrders): Work {
  const packs = new ForeignPacks(foreign);
  const writer = openWriter(objects, packs);
  const sink: ObjectSink = {
    scratch,
    has: (oid) => writer.has(oid),
    put: (kind, content) => writer.write(kind, content),
    large: {
      bytes: largeBytes,
      // biome-ignore lint/correctness/useYield: it never gets to a step
      *put() {
        throw TOO_LARGE;
      },
    },
  };
  return { root, packs, writer, sink };
}

function openWriter(objects: string, packs: ForeignPacks): ObjectWriter {
  try {
    return openObjectWriter(openObjectStore(objects), { durable: true, packs });
  } catch (error) {
    packs.close();
    throw error;
  }
}

function end(): void {
  work?.packs.close();
  work = undefined;
}

function take(path: BytePath, current: Work | undefined): DiskFile | undefined {
  if (current === undefined) throw new Error('a thread reads nothing before it is told where');
  const entry: ContentEntry = { kind: 'file', name: baseName(path) };
  try {
    const steps = readContent({ root: current.root, path }, entry, current.sink);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return typeof value === 'string' ? undefined : value;
    }
  } catch (error) {
    if (error === TOO_LARGE) return undefined;
    throw error;
  }
}
