import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, read, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  attrReply,
  ERRNO,
  encodeReply,
  entryReply,
  FILE_NODE,
  type FuseRequest,
  initReply,
  OPCODE,
  parseRequest,
  REQUEST_BYTES,
} from './fuse-wire.ts';
import type { LoggedDisk } from './logged-disk.ts';

/** Shows a disk as a file that a file system can be mounted from. @returns the file's path, and what ends it */
export async function serveDisk(
  disk: LoggedDisk,
  folder: string,
): Promise<{ readonly file: string; end(): Promise<void> }> {
  mkdirSync(folder, { recursive: true });
  const fd = openSync('/dev/fuse', 'r+');
  const served = serve(disk, fd);
  const options = 'fd=3,rootmode=40700,user_id=0,group_id=0';
  await run(['mount', '-i', '-t', 'fuse', '-o', options, 'devloop-disk', folder], fd);
  return {
    file: join(folder, FILE),
    end: async () => {
      await unmount(folder);
      await served;
      closeSync(fd);
    },
  };
}

/** Runs a program that must succeed, without keeping others waiting: the kernel may need an answer from this process meanwhile. */
export function run([program = '', ...args]: readonly string[], inherited?: number): Promise<string> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe', ...(inherited === undefined ? [] : [inherited])],
  });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${program} ${args.join(' ')}: ${code}: ${output}`)),
    );
  });
}

/** Unmounts what processes that are just ending may still be in. */
export async function unmount(folder: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await run(['umount', folder]);
      return;
    } catch (error) {
      if (tries >= MOST_TRIES || !String(error).includes('busy')) throw error;
      await delay(20);
    }
  }
}

const MOST_TRIES = 250;
const FILE = 'disk';
const readSome = promisify(read);

async function serve(disk: LoggedDisk, fd: number): Promise<void> {
  const buffer = Buffer.alloc(REQUEST_BYTES);
  for (;;) {
    const bytes = await nextRequest(fd, buffer);
    if (bytes === undefined) return;
    const request = parseRequest(bytes);
    const outcome = answer(disk, request);
    if (outcome !== undefined) writeSync(fd, encodeReply(request, outcome));
  }
}

/** Undefined once it is unmounted. */
async function nextRequest(fd: number, buffer: Buffer): Promise<Buffer | undefined> {
  for (;;) {
    try {
      const { bytesRead } = await readSome(fd, buffer, 0, buffer.length, null);
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENODEV') return undefined;
      // Not mounted yet.
      if (code === 'EPERM') await delay(1);
      // A request that was taken back meanwhile.
      else if (code !== 'ENOENT' && code !== 'EINTR') throw error;
    }
  }
}

/** Undefined for what wants no answer. */
function answer(disk: LoggedDisk, { opcode, node, body }: FuseRequest): Buffer | number | undefined {
  const size = disk.content.length;
  switch (opcode) {
    case OPCODE.INIT:
      return initReply();
    case OPCODE.LOOKUP:
      return body.toString('latin1') === `${FILE}\0` ? entryReply(size) : ERRNO.ENOENT;
    case OPCODE.GETATTR:
    case OPCODE.SETATTR:
      return attrReply(node, size);
    case OPCODE.OPEN:
    case OPCODE.OPENDIR:
      return Buffer.alloc(16);
    case OPCODE.READ:
      return node === FILE_NODE
        ? Buffer.from(disk.read(Number(body.readBigUInt64LE(8)), body.readUInt32LE(16)))
        : Buffer.alloc(0);
    case OPCODE.WRITE: {
      const length = body.readUInt32LE(16);
      disk.write(Number(body.readBigUInt64LE(8)), body.subarray(40, 40 + length));
      const reply = Buffer.alloc(8);
      reply.writeUInt32LE(length, 0);
      return reply;
    }
    case OPCODE.FSYNC:
      disk.flush();
      return Buffer.alloc(0);
    case OPCODE.STATFS:
      return Buffer.alloc(80);
    case OPCODE.FLUSH:
    case OPCODE.RELEASE:
    case OPCODE.RELEASEDIR:
    case OPCODE.DESTROY:
      return Buffer.alloc(0);
    case OPCODE.FORGET:
    case OPCODE.BATCH_FORGET:
    case OPCODE.INTERRUPT:
      return undefined;
    default:
      return ERRNO.ENOSYS;
  }
}
