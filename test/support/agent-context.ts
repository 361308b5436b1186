import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { AgentContext, CallLimits, RoleInput } from '../../server/domain/agent-call.ts';
import { parseCallId, parseProjectId, parseRunId, parseUnitId } from '../../server/domain/ids.ts';
import { roleScope } from '../../server/domain/write-scope.ts';
import { scratchFolder } from './scratch-folder.ts';

export const LIMITS: CallLimits = { wall_ms: 20_000, idle_ms: 20_000, output_bytes: 1_000_000, write_bytes: 1_000_000 };

export const CODER_INPUT: Extract<RoleInput, { role: 'coder' }> = {
  role: 'coder',
  unit: parseUnitId('store'),
  title: 'Keeps the items',
  attempt: 1,
  round: 1,
};

/** A result that fits CODER_INPUT. */
export const CODER_RESULT = { ok: true, unit_id: 'store', attempt: 1, summary: 'done' };

export const RUN = parseRunId('run-abcdef012345');

/** The context of a coder's call in an empty project's folder, with what a test wants otherwise. */
export function coderContext(t: TestContext, more: Partial<AgentContext> = {}): AgentContext {
  const root = join(scratchFolder(t), 'project');
  mkdirSync(root);
  const call = parseCallId('call-0123456789ab');
  const unit = parseUnitId('store');
  return {
    pid: parseProjectId('p-abcdefgh'),
    call,
    root,
    team: { driver: 'recorded' },
    scope: roleScope('coder', { call, unit }),
    limits: LIMITS,
    round: 1,
    attempt: 1,
    unit,
    requirement: 'A list of things to do',
    signal: new AbortController().signal,
    onOutput: () => {},
    ...more,
  };
}

export function fenced(result: object): string {
  return `Done.\n\n\`\`\`json\n${JSON.stringify(result)}\n\`\`\`\n`;
}
