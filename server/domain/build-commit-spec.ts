import type { CallRecord } from './agent-call.ts';
import type { TriageCategory } from './agent-results.ts';
import type { CommitKind, CommitSpec } from './commit.ts';
import { cleanText, shortRun, trailersOf } from './commit-message.ts';
import type { CallId, ProjectId, RunId, UnitId } from './ids.ts';
import { DEVLOOP, ROLE_IDENTITY, type Role } from './roles.ts';
import { tagNames } from './tag-names.ts';
import { LEDGER_FILES, roleFiles } from './write-scope.ts';

interface OfCall {
  readonly call: CallId;
  readonly record: CallRecord;
}

interface Revisions {
  readonly prd: number;
  readonly sdd: number;
}

/** Work that is ready to be committed. `key` is of the server's own commits; those of agents have their call's id. */
export type CommitWork =
  | { readonly kind: 'init'; readonly key: string; readonly pid: ProjectId; readonly requirement: string }
  | ({ readonly kind: 'prd'; readonly rev: number; readonly summary: string } & OfCall)
  | ({ readonly kind: 'sdd'; readonly rev: number; readonly units: number; readonly summary: string } & OfCall)
  | ({ readonly kind: 'sdd_patch'; readonly affected: readonly string[] } & OfCall)
  | ({ readonly kind: 'code'; readonly unit: UnitId; readonly attempt: number } & OfCall)
  | ({
      readonly kind: 'integ';
      readonly run: RunId;
      readonly outcome: 'pass' | 'fail';
      readonly passed: number;
      readonly total: number;
    } & OfCall)
  | ({
      readonly kind: 'triage';
      readonly run: RunId;
      readonly category: TriageCategory;
      readonly confidence: number;
    } & OfCall)
  | { readonly kind: 'ship'; readonly key: string; readonly revisions: Revisions }
  | { readonly kind: 'sign_off'; readonly key: string; readonly user: string; readonly revisions: Revisions }
  | { readonly kind: 'abandon'; readonly key: string; readonly reason: string }
  | { readonly kind: 'wip'; readonly key: string; readonly files: number };

/** The message, author, files and tag of a piece of work; messages as people's scripts rely on them (docs/loop.md). */
export function buildCommitSpec(work: CommitWork): CommitSpec {
  switch (work.kind) {
    case 'init': {
      const subject = `init: project ${work.pid} · ${cleanText(work.requirement, 30)}`;
      return { ...byServer({ key: work.key, kind: 'init', subject }), files: ['project.json', '.gitignore'] };
    }
    case 'ship': {
      const { key, revisions } = work;
      const subject = `ship: prd@${revisions.prd} sdd@${revisions.sdd}`;
      return byServer({ key, kind: 'ship', subject, tag: tagNames.shipped(revisions) });
    }
    case 'sign_off': {
      const subject = `chore: sign-off by ${cleanText(work.user)}`;
      return byServer({ key: work.key, kind: 'chore', subject, tag: tagNames.final(work.revisions.prd) });
    }
    case 'abandon': {
      const subject = `chore: abandon · ${cleanText(work.reason)}`;
      return byServer({ key: work.key, kind: 'chore', subject, tag: tagNames.abandoned() });
    }
    case 'wip': {
      const subject = `wip: recovered after crash · ${work.files} files`;
      return { ...byServer({ key: work.key, kind: 'wip', subject }), files: ['**'], onEmpty: 'skip' };
    }
    default:
      return agentSpec(work);
  }
}

function agentSpec(work: Extract<CommitWork, OfCall>): CommitSpec {
  switch (work.kind) {
    case 'prd': {
      const subject = `prd: rev ${work.rev} · ${cleanText(work.summary)}`;
      return byRole(work, { role: 'pm', kind: 'prd', subject, tag: tagNames.prd(work.rev) });
    }
    case 'sdd': {
      const subject = `sdd: rev ${work.rev} · ${work.units} units · ${cleanText(work.summary)}`;
      return byRole(work, { role: 'architect', kind: 'sdd', subject, tag: tagNames.sdd(work.rev) });
    }
    case 'sdd_patch': {
      const subject = `sdd: patch · ${cleanText(work.affected.join(', '))}`;
      return byRole(work, { role: 'architect', kind: 'sdd', subject });
    }
    case 'code':
      return codeSpec(work);
    case 'integ': {
      const subject = `integ(${shortRun(work.run)}): ${work.outcome} · ${work.passed}/${work.total}`;
      return byRole(work, { role: 'integrator', kind: 'integ', subject });
    }
    case 'triage': {
      const subject = `triage(${shortRun(work.run)}): ${work.category} · confidence ${work.confidence}`;
      return byRole(work, { role: 'bug-triager', kind: 'triage', subject });
    }
  }
}

/** Code and tests together, with every attempt's results and the coder's log. */
function codeSpec({ unit, attempt, call, record }: Extract<CommitWork, { kind: 'code' }>): CommitSpec {
  const what = attempt === 1 ? 'implement · attempt 1' : `retry → green · attempt ${attempt}`;
  return {
    kind: 'code',
    subject: `code(${unit}): ${what}`,
    author: ROLE_IDENTITY.coder,
    trailers: trailersOf({ call, unit, attempt, record, helper: ROLE_IDENTITY.tester }),
    files: [`units/${unit}/**`, ...LEDGER_FILES],
    key: call,
    onEmpty: 'allow',
  };
}

interface Message {
  readonly kind: CommitKind;
  readonly subject: string;
  readonly tag?: string;
}

function byRole(
  work: OfCall & { readonly run?: RunId },
  { role, kind, subject, tag }: Message & { readonly role: Role },
): CommitSpec {
  const own = role === 'integrator' ? [`integration/runs/${work.run}/result.json`] : roleFiles(role, work);
  return {
    kind,
    subject: subject.trim(),
    author: ROLE_IDENTITY[role],
    trailers: trailersOf(work),
    files: [...own, ...LEDGER_FILES],
    key: work.call,
    onEmpty: 'allow',
    ...(tag === undefined ? {} : { tag: { name: tag, message: subject } }),
  };
}

function byServer({ key, kind, subject, tag }: Message & { readonly key: string }): CommitSpec {
  return {
    kind,
    subject: subject.trim(),
    author: DEVLOOP,
    trailers: trailersOf({ call: key }),
    files: ['project.json', ...LEDGER_FILES],
    key,
    onEmpty: 'allow',
    ...(tag === undefined ? {} : { tag: { name: tag, message: subject } }),
  };
}
