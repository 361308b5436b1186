import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DevLoopError } from '../../domain/errors.ts';
import type { Point, TurnId } from '../../domain/point.ts';
import { withoutUndefined } from '../../domain/without-undefined.ts';
import { type CommandContext, defineCommand, type ProgramEnd } from '../command.ts';
import { flag } from '../flags.ts';

type Begun = Promise<{ readonly turn: TurnId; readonly pre: Point }>;

export const turn = defineCommand({
  summary: 'Run an agent, or any program, between a point before and a point after',
  args: { command: { description: 'the program and its arguments, after `--`', rest: true } },
  flags: {
    task: flag.text('--task <id>', 'the task that it works on'),
    actor: flag.text('--actor <name>', 'who works'),
    wait: flag.off('--no-wait', 'start at once; the turn is unprotected until the point is there'),
  },
  routes: ['POST /workspaces/:ws/turns', 'POST /workspaces/:ws/turns/:turn/end'],
  examples: [
    { command: 'devloop turn -- claude -p "tidy the imports"', what: '`devloop undo` goes back to before it' },
    { command: 'devloop turn --task T-12 -- npm run codegen', what: 'any program that writes files' },
  ],
  run: async ({ command, task, actor, wait }, context) => {
    const { snapshot_enabled } = (await context.config()).settings;
    if (!snapshot_enabled) {
      context.terminal.note('devloop: points are switched off (snapshot_enabled); this turn is not protected');
      return { end: await runProgram(command, context) };
    }
    const workspace = await context.workspace();
    const about = withoutUndefined({ task_id: task, actor: actor ?? command[0], reason: `before ${command[0] ?? ''}` });
    const begun = workspace.beginTurn(about);
    begun.catch(() => undefined);
    await protectFirst(begun, { wait, context });
    const end = await runProgram(command, context);
    const { turn: id, pre } = await begun;
    const post = await workspace.endTurn(id);
    context.terminal.note(
      `devloop: turn ${id} is kept${post.noop ? ', and changed no file' : '; `devloop undo` goes back to before it'}`,
    );
    return { turn: id, pre: pre.id, post: post.id, end };
  },
  status: ({ end }) => end,
  print: () => '',
});

async function protectFirst(
  begun: Begun,
  { wait, context }: { readonly wait: boolean; readonly context: CommandContext },
) {
  const { terminal } = context;
  if (wait) {
    const { pre } = await begun;
    terminal.note(`devloop: ${pre.counts.files} files are kept as ${pre.id}`);
    return;
  }
  terminal.note('devloop: not protected yet; the point before the turn is being made');
  begun.then(({ pre }) => terminal.note(`devloop: protected by ${pre.id}`)).catch(() => undefined);
}

/** The program has our terminal; what we are told by signal, it is told. */
async function runProgram([program = '', ...argv]: readonly string[], context: CommandContext): Promise<ProgramEnd> {
  const child = spawn(program, argv, { cwd: context.cwd, env: await context.programEnv(), stdio: 'inherit' });
  const release = context.takeSignals((name) => {
    // Ctrl-C reaches the whole group of a terminal; twice would be an order of another kind.
    if (name !== 'SIGINT' || !process.stdin.isTTY) child.kill(name);
  });
  try {
    const [exit_code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return { exit_code, signal };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new DevLoopError(
      code === 'ENOENT' ? 'not_found' : 'permission_denied',
      `${program} cannot be run: ${message}`,
      {
        cause: error,
      },
    );
  } finally {
    release();
  }
}
