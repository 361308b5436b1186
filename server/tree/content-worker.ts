/** A thread that reads files and puts them into a pack of its own; started by content-workers.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { type BytePath, baseName } from '../domain/byte-path.ts';
import { LARGE_BYTES } from '../git/objects/deflate.ts';
import { ForeignPacks } from '../git/objects/foreign-packs.ts';
import { openObjectStore } from '../git/objects/object-store.ts';
import { openObjectWriter } from '../git/objects/object-writer.ts';
import type { ContentReply, ContentRequest, WorkerOrders } from './content-messages.ts';
import type { DiskFile } from './disk-tree.ts';
import type { ObjectSink } from './object-sink.ts';
import { packFiles } from './packed-files.ts';
import { type ContentEntry, readContent } from './read-content.ts';

const { root, objects, largeBytes, foreign } = workerData as WorkerOrders;
const packs = new ForeignPacks(foreign);
const writer = openObjectWriter(openObjectStore(objects), { durable: true, packs });

/** A file that has grown since it was looked at is left to whoever asked. */
const TOO_LARGE = new Error('too large');
const sink: ObjectSink = {
  // One for all files: a buffer each is garbage of ten times what a thread needs besides.
  scratch: Buffer.allocUnsafeSlow(LARGE_BYTES - 1),
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
    case 'read':
      return { kind: 'read', files: packFiles(request.paths.map(take)) };
    case 'finish':
      await writer.finish();
      return { kind: 'done' };
    case 'abort':
      await writer.abort();
      return { kind: 'done' };
  }
}

function take(path: BytePath): DiskFile | undefined {
  const entry: ContentEntry = { kind: 'file', name: baseName(path) };
  try {
    const steps = readContent({ root, path }, entry, sink);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return typeof value === 'string' ? undefined : value;
    }
  } catch (error) {
    if (error === TOO_LARGE) return undefined;
    throw error;
  }
}
