import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `.devloop/server.json` of a data folder: how to find the server that runs on it. */
export interface ServerFile {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly version: string;
}

const pathIn = (dataDir: string): string => join(dataDir, '.devloop', 'server.json');

/** Undefined where no server says that it runs. What it says may be out of date: a killed one leaves its file. */
export function readServerFile(dataDir: string): ServerFile | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(pathIn(dataDir), 'utf8'));
    return isServerFile(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || isAbsent(error)) return undefined;
    throw error;
  }
}

/** Writes it whole; the folder is there once the data folder is taken. */
export function writeServerFile(dataDir: string, file: ServerFile): void {
  const temporary = `${pathIn(dataDir)}.${file.pid}`;
  writeFileSync(temporary, `${JSON.stringify(file)}\n`);
  renameSync(temporary, pathIn(dataDir));
}

/** Removes it, where it is the one of this process. */
export function removeServerFile(dataDir: string, pid: number): void {
  if (readServerFile(dataDir)?.pid === pid) rmSync(pathIn(dataDir), { force: true });
}

function isServerFile(value: unknown): value is ServerFile {
  return (
    typeof value === 'object' &&
    value !== null &&
    'url' in value &&
    typeof value.url === 'string' &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'port' in value &&
    'version' in value
  );
}

const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';
