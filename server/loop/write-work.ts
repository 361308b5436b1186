import type { CommitEffect, RecoverEffect, SaveEffect, ServerFile } from '../domain/effect.ts';
import { landedEvent } from '../domain/landed-event.ts';
import type { RecoveryEvent, WriteOutcome } from '../domain/loop-event.ts';
import { withoutUndefined } from '../domain/without-undefined.ts';
import { sameTrees, unitTrees } from './run-unit-tests.ts';
import type { Workplace } from './workplace.ts';

/** Makes a commit, with the server's own files that belong to it; a repeated one finds what was made under its key. */
export async function commitWork(effect: CommitEffect, at: Workplace): Promise<WriteOutcome> {
  const { key, spec, tested, purpose } = effect;
  const { vault, projects } = at.ports;
  const { pid } = at.folder;
  if (tested !== undefined && !sameTrees(tested, await unitTrees(vault, pid, tested.unit)))
    return { kind: 'work.moved', key };
  await writeFiles(effect.writes, at);
  if (purpose.kind === 'init') {
    await at.bench.write('.gitignore', await projects.ignoreTemplate());
    const { head } = await vault.init(pid, spec);
    return { kind: 'commit.landed', key, sha: head, left_out: [] };
  }
  const outcome = await vault.commit(pid, spec);
  if (outcome.kind === 'committed') return landedEvent(key, outcome);
  return { kind: 'commit.landed', key, sha: await vault.head(pid), left_out: [] };
}

/** Keeps an attempt that was not green beside main. */
export async function saveAttempt(effect: SaveEffect, at: Workplace): Promise<WriteOutcome> {
  const { key, unit, round, attempt, subject, author, trailers, files, verdict, run } = effect;
  await writeFiles(effect.writes, at);
  const about = withoutUndefined({ unit, round, attempt, subject, author, trailers, files, verdict, run });
  const { sha } = await at.ports.vault.saveAttempt(at.folder.pid, about);
  return { kind: 'attempt.saved', key, sha };
}

/** Does with dirty files what was chosen. */
export async function recover({ action, snapshot, spec }: RecoverEffect, at: Workplace): Promise<RecoveryEvent> {
  const { vault } = at.ports;
  const { pid } = at.folder;
  if (action === 'reset_hard') {
    const { rescue } = await vault.resetWorkingTree(pid, { ref: 'HEAD', reason: 'reset-hard' });
    return { kind: 'recovery.settled', action, snapshot, ...(rescue !== undefined && { rescue }) };
  }
  const outcome = await vault.commit(pid, spec);
  return { kind: 'recovery.settled', action, snapshot, ...(outcome.kind === 'committed' && { sha: outcome.sha }) };
}

async function writeFiles(files: readonly ServerFile[], { bench }: Workplace): Promise<void> {
  for (const { path, content } of files) await bench.write(path, content);
}
