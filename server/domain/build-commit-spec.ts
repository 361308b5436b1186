import type { CallRecord } from './agent-call.ts';
import type { TriageCategory } from './agent-results.ts';
import type { CommitKind, CommitSpec } from './commit.ts';
import { cleanText, shortRun, trailersOf } from './commit-message.ts';
import type { CallId, ProjectId, RunId, UnitId } from './ids.ts';
import { DEVLOOP, ROLE_IDENTITY, type Role } from './roles.ts';
import { tagNames } from './tag-names.ts';
import { LEDGER_FILES, roleFiles, type WriteScope } from './write-scope.ts';

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
    case 'init':
      return server(work.key, 'init', `init: project ${work.pid} · ${cleanText(work.requirement, 30)}`, {
        files: ['project.json', '.gitignore'],
      });
    case 'ship':
      return server(work.key, 'ship', `ship: prd@${work.revisions.prd} sdd@${work.revisions.sdd}`, {
        tag: tagNames.shipped(work.revisions),
      });
    case 'sign_off':
      return server(work.key, 'chore', `chore: sign-off by ${cleanText(work.user)}`, {
        tag: tagNames.final(work.revisions.prd),
      });
    case 'abandon':
      return server(work.key, 'chore', `chore: abandon · ${cleanText(work.reason)}`, { tag: tagNames.abandoned() });
    case 'wip':
      return {
        ...server(work.key, 'wip', `wip: recovered after crash · ${work.files} files`, { files: ['**'] }),
        onEmpty: 'skip',
      };
    default:
      return agentSpec(work);
  }
}

function agentSpec(work: Extract<CommitWork, OfCall>): CommitSpec {
  switch (work.kind) {
    case 'prd':
      return byRole('pm', 'prd', `prd: rev ${work.rev} · ${cleanText(work.summary)}`, work, tagNames.prd(work.rev));
    case 'sdd': {
      const subject = `sdd: rev ${work.rev} · ${work.units} units · ${cleanText(work.summary)}`;
      return byRole('architect', 'sdd', subject, work, tagNames.sdd(work.rev));
    }
    case 'sdd_patch':
      return byRole('architect', 'sdd', `sdd: patch · ${cleanText(work.affected.join(', '))}`, work);
    case 'code':
      return codeSpec(work);
    case 'integ': {
      const subject = `integ(${shortRun(work.run)}): ${work.outcome} · ${work.passed}/${work.total}`;
      return byRole('integrator', 'integ', subject, work);
    }
    case 'triage': {
      const subject = `triage(${shortRun(work.run)}): ${work.category} · confidence ${work.confidence}`;
      return byRole('bug-triager', 'triage', subject, work);
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

function byRole(
  role: Role,
  kind: CommitKind,
  subject: string,
  work: OfCall & { readonly run?: RunId },
  tag?: string,
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

function server(
  key: string,
  kind: CommitKind,
  subject: string,
  { files, tag }: { readonly files?: WriteScope; readonly tag?: string },
): CommitSpec {
  return {
    kind,
    subject: subject.trim(),
    author: DEVLOOP,
    trailers: trailersOf({ call: key }),
    files: files ?? ['project.json', ...LEDGER_FILES],
    key,
    onEmpty: 'allow',
    ...(tag === undefined ? {} : { tag: { name: tag, message: subject } }),
  };
}
