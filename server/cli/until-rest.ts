import { DevLoopError } from '../domain/errors.ts';
import type { ApiClient } from './api-client.ts';
import type { CommandContext } from './command.ts';
import { eventText } from './event-text.ts';
import { type ExitStatus, exitOfProject } from './exit-codes.ts';
import { flag } from './flags.ts';
import { type FollowOptions, followEvents } from './follow-events.ts';
import type { Terminal } from './terminal.ts';

/** The project as `GET /projects/:pid` shows it. */
export type Project = Awaited<ReturnType<typeof readProject>>;

/** Flags of commands that set the loop going. */
export const WAIT_FLAGS = {
  detach: flag.on('--detach', 'do not wait until the project is at rest; needs a running server'),
};

interface Start {
  readonly pid: string;
  readonly detach: boolean;
  /** A new file that keeps what live models decide. */
  readonly record?: string | undefined;
  readonly start: (api: ApiClient) => Promise<Project>;
}

/** Sets the loop going and waits until the project is at rest, with a line of progress for each step. */
export async function untilRest({ pid, detach, record, start }: Start, context: CommandContext): Promise<Project> {
  const { api, own } = await context.connect({ announce: true, ...(record === undefined ? {} : { record }) });
  if (detach && own) {
    throw new DevLoopError('bad_state', 'Without a server the loop runs in this process, and ends with it.', {
      hint: 'Start `devloop serve` first, or leave --detach out.',
    });
  }
  if (detach) return start(api);
  const opened = Promise.withResolvers<void>();
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const find = own ? async () => api : context.running;
  const followed = follow({ pid, signal, onOpen: opened.resolve, api: find }, context.terminal);
  await Promise.race([opened.promise, followed]);
  try {
    const begun = await start(api);
    if (begun.status === 'running') await followed;
  } finally {
    stop.abort();
  }
  if (context.signal.aborted) {
    context.terminal.note(
      own ? `It is paused now: devloop resume ${pid}` : `It goes on in the server: devloop watch ${pid}`,
    );
  }
  return readProject(api, pid);
}

/** Notes each event until the project is not running any more, or the signal. */
async function follow(options: FollowOptions, terminal: Terminal): Promise<void> {
  for await (const message of followEvents(options)) {
    const text = eventText(message, (style, part) => terminal.paint(style, part));
    if (text !== undefined) terminal.note(text);
    if (message.event === 'project.status' && message.data.status !== 'running') return;
  }
}

export function readProject(api: ApiClient, pid: string) {
  return api.call('GET /projects/:pid', { params: { pid } });
}

export const restStatus = (project: Project): ExitStatus => exitOfProject(project);

/** What a person sees when the loop has come to rest. */
export function restText({ pid, status, reason, detail, hint, path, gate }: Project): string {
  const why = [reason, detail].filter((part) => part !== undefined).join(': ');
  const next = hint ?? (gate === undefined ? undefined : `devloop approve ${pid} --gate ${gate}`);
  const lines = [`${pid} ${status}${why === '' ? '' : `: ${why}`}`, path, ...(next === undefined ? [] : [next])];
  return lines.map((line) => `${line}\n`).join('');
}
