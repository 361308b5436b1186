import type { Oid } from '../domain/ids.ts';
import { systemRefusal } from '../domain/system-refusal.ts';
import { hashObject } from '../git/objects/object-id.ts';
import { openObjectWriter, type StepwiseWriter } from '../git/objects/object-writer.ts';
import { allEnded } from '../io/all-ended.ts';
import { type ContentWorkers, contentWorkers, HASH_ONLY, type ObjectSink } from '../tree/index.ts';
import { hashOpenFile } from './objects/folder-objects.ts';
import type { LargeFile } from './objects/large-objects.ts';
import type { OpenWorkspace } from './open-workspace.ts';

/** The text that stands for a large file in the repository. */
export function pointerOf({ sha256, size }: LargeFile): Buffer {
  return Buffer.from(`devloop large file\nsha256 ${sha256}\nsize ${size}\n`);
}

/** Reads it back; undefined for any other content. */
export function parsePointer(content: Uint8Array): LargeFile | undefined {
  const match = POINTER.exec(Buffer.from(content).toString('latin1'));
  return match === null ? undefined : { sha256: match[1] ?? '', size: Number(match[2]) };
}

const POINTER = /^devloop large file\nsha256 ([0-9a-f]{64})\nsize ([0-9]+)\n$/;

/** Threads' packs are part of the store once it is closed. */
export type PointWriter = Pick<
  StepwiseWriter,
  'has' | 'write' | 'complete' | 'writeFiles' | 'close' | 'publish' | 'abort'
>;

export interface PointSink extends ObjectSink {
  readonly writer: PointWriter;
  /** The large files that were taken, by the id of what stands for them. */
  readonly taken: ReadonlyMap<Oid, LargeFile>;
}

/** Takes the contents of a point: large ones at once, all others when the writer is finished. */
export function pointSink({ objects, spool, largeFileBytes }: OpenWorkspace): PointSink {
  const many = contentWorkers({ objects: objects.dir, largeBytes: largeFileBytes });
  const writer = besideWorkers(openObjectWriter(objects, { durable: true }), many);
  const taken = new Map<Oid, LargeFile>();
  return {
    writer,
    taken,
    has: (oid) => writer.has(oid),
    many,
    put: (kind, content) => orRefusal(() => writer.write(kind, content)),
    large: {
      bytes: largeFileBytes,
      *put({ fd, size }) {
        const file = { sha256: yield* spool.take({ fd, size }), size };
        const oid = orRefusal(() => writer.write('blob', pointerOf(file)));
        taken.set(oid, file);
        return oid;
      },
    },
  };
}

/** A writer of which threads' packs are a part. */
function besideWorkers(own: StepwiseWriter, many: ContentWorkers): PointWriter {
  return {
    has: (oid) => many.has(oid) || own.has(oid),
    write: (kind, content) => own.write(kind, content),
    complete: async () => {
      const files = await own.complete();
      return many.used ? undefined : files;
    },
    writeFiles: () => own.writeFiles(),
    close: async () => {
      await allEnded([many.finish(), own.close()]);
    },
    publish: () => own.publish(),
    abort: async () => {
      await Promise.all([many.abort(), own.abort()]);
    },
  };
}

/** Computes the same ids and keeps nothing. */
export function hashSink({ largeFileBytes }: OpenWorkspace): ObjectSink {
  return {
    ...HASH_ONLY,
    large: {
      bytes: largeFileBytes,
      *put({ fd, size }) {
        return hashObject('blob', pointerOf({ sha256: yield* hashOpenFile(fd, size), size }));
      },
    },
  };
}

/** What the disk refuses to the store must not be taken for a file that cannot be read. */
function orRefusal<Result>(write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    throw systemRefusal(error, { doing: 'writing a point' });
  }
}
