import { DevLoopError, isDevLoopError } from '../domain/errors.ts';
import type { Oid } from '../domain/ids.ts';
import { readGitEnd, type StreamOptions } from './stream.ts';

export interface PushRequest {
  /** As `parseRemoteUrl` lets it through: never a name, which a configuration could say anything about. */
  readonly url: string;
  /** What the refs of the other repository are to be, by full name. */
  readonly refs: ReadonlyMap<string, Oid>;
  /** For https: told to the other side only, and kept nowhere. */
  readonly token?: string;
  readonly signal?: AbortSignal;
  /** `key=value` settings for this call only; the keys are literals of ours. */
  readonly config?: readonly string[];
}

export interface PushedRef {
  readonly ref: string;
  readonly outcome: 'made' | 'moved' | 'same';
}

/**
 * Pushes objects under names of the other repository, which only ever go forward. No hook runs, no setting of a repository counts.
 * @throws DevLoopError remote_refused with the names that were not taken, or with what git says where it came to none
 */
export async function push(shadowDir: string, request: PushRequest): Promise<readonly PushedRef[]> {
  const { url, refs, token, signal, config = [] } = request;
  const options: StreamOptions = {
    protocols: ['https', 'ssh'],
    config: [...config, ...(token === undefined ? [] : [HELPER])],
    ...(token !== undefined && { secret: secretOf(token) }),
    ...(signal && { signal }),
    limits: { idle_ms: IDLE_MS },
    okExits: [0, 1],
  };
  const args = [...ARGS, url, ...[...refs].map(([ref, oid]) => `${oid}:${ref}`)];
  const { output } = await readGitEnd(shadowDir, args, options).catch((error: unknown) => {
    throw isDevLoopError(error) && isOfRemote(error) ? unreachable(error) : error;
  });
  const lines = linesOf(output.toString('utf8'));
  const refused = lines.filter(({ flag }) => flag === '!');
  if (refused.length > 0) throw notTaken(refused);
  const told = new Map(lines.map(({ ref, flag }) => [ref, OUTCOMES[flag]]));
  const missing = [...refs.keys()].filter((ref) => told.get(ref) === undefined);
  if (missing.length > 0) throw notTaken(missing.map((ref) => ({ ref, reason: 'the other side said nothing of it' })));
  return [...refs.keys()].map((ref) => ({ ref, outcome: told.get(ref) ?? 'same' }));
}

const ARGS = ['push', '--porcelain', '--no-verify', '--no-follow-tags', '--no-signed', '--recurse-submodules=no', '--'];
/** A setting: git asks it for a name and a token, which it reads from the descriptor of the call's secret. */
export const HELPER = 'credential.helper=!f() { test "$1" = get && cat <&3; }; f';
/** What the helper answers for a token. Forges take any name with one. */
export const secretOf = (token: string): string => `username=x-access-token\npassword=${token}\n`;
/** A large history is packed, sent and unpacked there without a word. */
const IDLE_MS = 600_000;

const OUTCOMES: Readonly<Record<string, PushedRef['outcome']>> = { '*': 'made', ' ': 'moved', '=': 'same' };

interface Told {
  readonly flag: string;
  readonly ref: string;
  readonly reason: string;
}

/** Of what git says in general some reads as if a disk or an object here were at fault. */
const OF_REMOTE =
  /from remote repository|unable to access '|could not read (?:Username|Password)|Authentication failed/;

function isOfRemote({ code, data }: DevLoopError): boolean {
  return OF_REMOTE.test(String(data.stderr)) || (code === 'git_failed' && data.aborted !== true);
}

/** `{flag}\t{from}:{to}\t{summary}` */
function linesOf(output: string): readonly Told[] {
  return output.split('\n').flatMap((line) => {
    const [, flag, ref, reason] = /^([ *=!+-])\t[^\t:]*:([^\t]+)\t(.*)$/.exec(line) ?? [];
    return flag === undefined || ref === undefined || reason === undefined ? [] : [{ flag, ref, reason }];
  });
}

function notTaken(refs: readonly { readonly ref: string; readonly reason: string }[]): DevLoopError {
  const named = refs.map(({ ref, reason }) => ({ ref, reason: reason.slice(0, 300) }));
  const isBehind = named.some(({ reason }) => /fetch first|non-fast-forward|needs force|already exists/.test(reason));
  return new DevLoopError(
    'remote_refused',
    `the other repository did not take ${named.map(({ ref, reason }) => `${ref}: ${reason}`).join('; ')}`,
    {
      data: { refs: named },
      hint: isBehind
        ? 'It has commits or tags there that this project has not: push to another branch.'
        : 'Its own words say why; nothing was changed here.',
    },
  );
}

function unreachable(error: DevLoopError): DevLoopError {
  return new DevLoopError('remote_refused', `the other repository could not be pushed to: ${error.message}`, {
    data: error.data,
    hint: 'Check the address, the network, and the key or token.',
    cause: error,
  });
}
