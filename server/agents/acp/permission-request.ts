import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { type Decision, decidePermission, type PolicyBounds } from './permission-policy.ts';

/** Where agents put the paths and commands of their tools; each has its own names. */
const rawInput = z.looseObject({
  command: z.union([z.string(), z.array(z.string())]).optional(),
  path: z.string().optional(),
  file_path: z.string().optional(),
  filePath: z.string().optional(),
  filepath: z.string().optional(),
});

/** Answers a permission request by the policy. @param relative the path below the project's folder; undefined outside. */
export function answerPermission(
  request: RequestPermissionRequest,
  bounds: PolicyBounds,
  relative: (path: string) => string | undefined,
): { readonly decision: Decision; readonly response: RequestPermissionResponse } {
  const { kind, locations, content } = request.toolCall;
  const raw = rawInput.safeParse(request.toolCall.rawInput).data ?? {};
  const named = [raw.path, raw.file_path, raw.filePath, raw.filepath].filter((path) => path !== undefined);
  const diffs = (content ?? []).flatMap((part) => (part.type === 'diff' ? [part.path] : []));
  const paths = [...(locations ?? []).map(({ path }) => path), ...diffs, ...named];
  const { command } = raw;
  const asked = { kind: kind ?? 'other', paths: paths.map(relative), ...(command === undefined ? {} : { command }) };
  const decision = decidePermission(asked, bounds);
  const wanted = decision.allowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const option = wanted
    .map((one) => request.options.find((given) => given.kind === one))
    .find((one) => one !== undefined);
  const outcome =
    option === undefined
      ? ({ outcome: 'cancelled' } as const)
      : ({ outcome: 'selected', optionId: option.optionId } as const);
  return { decision, response: { outcome } };
}
