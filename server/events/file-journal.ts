import { join } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import type { ProjectId } from '../domain/ids.ts';
import { systemRefusal } from '../domain/system-refusal.ts';
import { type AppendLog, openAppendLog } from '../io/append-log.ts';
import type { LogRecord } from '../io/log-line.ts';
import { makeFolders } from '../io/make-folders.ts';
import { keepTorn } from './set-aside.ts';

/** Finds a project's folders. @throws DevLoopError project_not_found */
export type Locate = (pid: ProjectId) => Promise<{ readonly root: string; readonly state: string }>;

/** Keeps each project's journal in journal.ndjson of the server's own folder for it. */
export class FileJournal {
  readonly #locate: Locate;
  readonly #logs = new Map<ProjectId, AppendLog>();

  constructor(locate: Locate) {
    this.#locate = locate;
  }

  /**
   * All records, oldest first. A torn tail was never acknowledged: it is set aside and cut off.
   * @throws DevLoopError journal_damaged, with the number of the line, where one before the last is not what was written.
   */
  async load(pid: ProjectId): Promise<readonly unknown[]> {
    return this.#open(pid);
  }

  /** Resolves when the record, an object, is durable; rejects where it may not be kept. */
  async append(pid: ProjectId, record: unknown): Promise<void> {
    if (!this.#logs.has(pid)) await this.#open(pid);
    try {
      const log = this.#logs.get(pid);
      log?.append([asRecord(record)]);
      await log?.sync();
    } catch (error) {
      throw systemRefusal(error, { doing: `writing the journal of project ${pid}`, data: { pid } });
    }
  }

  /** Forgets a project that was deleted or is not worked on. */
  close(pid: ProjectId): void {
    this.#logs.delete(pid);
  }

  async #open(pid: ProjectId): Promise<readonly LogRecord[]> {
    const { root, state } = await this.#locate(pid);
    makeFolders(state);
    const records: LogRecord[] = [];
    const { log, damaged } = openAppendLog(join(state, 'journal.ndjson'), {
      onEntry: ({ record }) => record !== undefined && records.push(record),
      onTorn: (bytes) => keepTorn({ name: 'journal.ndjson', root, state }, bytes),
    });
    if (damaged.length > 0) throw journalDamaged(pid, { lines: damaged, path: log.path });
    this.#logs.set(pid, log);
    return records;
  }
}

function asRecord(record: unknown): LogRecord {
  if (typeof record === 'object' && record !== null && !Array.isArray(record)) return record as LogRecord;
  throw new TypeError('a journal record is an object');
}

function journalDamaged(
  pid: ProjectId,
  data: { readonly lines: readonly number[]; readonly path: string },
): DevLoopError {
  const which = data.lines.length === 1 ? `line ${data.lines[0]}` : `lines ${data.lines.join(', ')}`;
  return new DevLoopError('journal_damaged', `${which} of the journal of project ${pid} is not what was written`, {
    data: { pid, ...data },
    hint: 'Put the file back from a backup, or delete the project. Its git repository is not touched.',
  });
}
