import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseCompanyId, parseProjectId } from '../domain/ids.ts';
import { endProcesses, MARKER_VARIABLE } from '../io/end-processes.ts';
import { hasCode } from '../io/io-error.ts';
import { processHasVariable, processStartTime } from '../io/process-table.ts';
import {
  openProcessRecord,
  type ProcessNote,
  type ProcessRecord,
  readProcessNotes,
  writeNotes,
} from './process-record.ts';

export interface ProcessRecords {
  /** The record of the project in this folder (`…/{cid}/projects/{pid}`); the same object for each caller. */
  forProject(root: string): ProcessRecord;
}

/** The records of all projects, in `{state}/vaults/{cid}/{pid}/processes.json`; `state` is the data folder's `.devloop`. */
export function processRecords(state: string): ProcessRecords {
  const open = new Map<string, ProcessRecord>();
  return {
    forProject(root) {
      const [cid, pid] = [parseCompanyId(basename(dirname(dirname(root)))), parseProjectId(basename(root))];
      const path = join(state, 'vaults', cid, pid, FILE);
      const record = open.get(path) ?? openProcessRecord(path);
      open.set(path, record);
      return record;
    },
  };
}

export interface EndedOrphan {
  readonly cid: string;
  readonly pid: string;
  readonly call: string;
  /** Ids of processes that even a kill did not end. */
  readonly survivors: readonly number[];
}

const FILE = 'processes.json';
const GRACE_MS = 500;

/**
 * Ends what a killed server left running, by the markers that it noted, and clears the notes: to be called at boot, by the
 * owner of the data folder, before any record is opened. A process counts only while it carries the marker.
 * @returns the calls that were noted as running.
 */
export async function endOrphans(state: string): Promise<readonly EndedOrphan[]> {
  const ended: EndedOrphan[] = [];
  const vaults = join(state, 'vaults');
  for (const cid of foldersIn(vaults)) {
    for (const pid of foldersIn(join(vaults, cid))) {
      const path = join(vaults, cid, pid, FILE);
      const calls = Map.groupBy(readProcessNotes(path), (note) => note.marker);
      const done = await Promise.all(
        [...calls.values()].map(async (notes) => ({ cid, pid, ...(await endCall(notes)) })),
      );
      ended.push(...done);
      if (calls.size > 0) writeNotes(path, []);
    }
  }
  return ended;
}

async function endCall(notes: readonly ProcessNote[]): Promise<Pick<EndedOrphan, 'call' | 'survivors'>> {
  const survivors: number[] = [];
  for (const { pid, start_time, marker } of notes) {
    const same =
      pid !== null &&
      processStartTime(pid) === (start_time ?? undefined) &&
      processHasVariable(pid, `${MARKER_VARIABLE}=${marker}`);
    const leader = same
      ? { pid, start_time: start_time ?? undefined, marker }
      : { pid: 0, start_time: undefined, marker };
    survivors.push(...(await endProcesses(leader, { grace_ms: GRACE_MS })));
  }
  return { call: notes[0]?.call ?? '', survivors: [...new Set(survivors)] };
}

function foldersIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}
