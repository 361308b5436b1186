import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { MARKER_VARIABLE, type StartedProcess } from '../../server/io/end-processes.ts';
import type { ProcessRequest } from '../../server/io/process-request.ts';
import { processLives, processStartTime, processTable } from '../../server/io/process-table.ts';
import { runProcess, startProcess } from '../../server/io/run-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'run-process-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const PATH = '/usr/bin:/bin';

function request(argv: readonly string[], rest: Partial<ProcessRequest> = {}): ProcessRequest {
  return { argv, cwd: folder, env: { PATH }, marker: randomBytes(8).toString('hex'), ...rest };
}

const sh = (script: string, rest: Partial<ProcessRequest> = {}): ProcessRequest => request(['sh', '-c', script], rest);

/** Pids that a script wrote to files in the folder, one each. */
const pidIn = (name: string): number => Number(readFileSync(join(folder, name), 'utf8'));
const isAlive = (pid: number): boolean => processTable().some((entry) => entry.pid === pid);

test('a program gets its arguments as they are, its folder, and no environment but the given one', async () => {
  const seen = await runProcess(
    request(['sh', '-c', 'pwd; printf "%s\\n" "$@"; env | sort', 'name', 'two words', '$HOME;*'], {
      env: { PATH, ONE: 'a b' },
      marker: 'the-marker',
    }),
  );
  const lines = seen.stdout.split('\n').filter((line) => !/^(_|PWD|OLDPWD|SHLVL)=/.test(line));
  assert.deepEqual(lines, [
    folder,
    'two words',
    '$HOME;*',
    `${MARKER_VARIABLE}=the-marker`,
    'ONE=a b',
    `PATH=${PATH}`,
    '',
  ]);
  assert.deepEqual([seen.ended, seen.exit_code, seen.signal, seen.survivors], ['exit', 0, null, []]);
});

test('the exit status and the streams are kept apart', async () => {
  const result = await runProcess(sh('echo out; echo err >&2; exit 7'));
  assert.deepEqual([result.stdout, result.stderr, result.exit_code, result.output_bytes], ['out\n', 'err\n', 7, 8]);
});

test('a signal that ended the program is told', async () => {
  const result = await runProcess(sh('kill -SEGV $$'));
  assert.deepEqual([result.ended, result.exit_code, result.signal], ['exit', null, 'SIGSEGV']);
});

test('text goes to the standard input, which is then closed', async () => {
  const text = 'ä'.repeat(200_000);
  const result = await runProcess(request(['wc', '-c'], { stdin: { text } }));
  assert.equal(result.stdout.trim(), '400000');
});

test('without text the standard input is at its end', async () => {
  assert.equal((await runProcess(request(['cat']))).ended, 'exit');
});

test('a program that does not read a large input does no harm', async () => {
  const result = await runProcess(sh('exec <&-; echo done', { stdin: { text: 'x'.repeat(1_000_000) } }));
  assert.deepEqual([result.stdout, result.exit_code], ['done\n', 0]);
});

test('a running program is talked to through an open input', async () => {
  const heard: string[] = [];
  const running = startProcess(
    sh('while read line; do echo "got $line"; done', {
      stdin: 'open',
      onOutput: (chunk) => {
        heard.push(Buffer.from(chunk).toString());
        if (heard.length === 1) running.write('two\n');
        else running.closeStdin();
      },
    }),
  );
  assert.equal(running.write('one\n'), true);
  const result = await running.done;
  assert.deepEqual([heard, result.exit_code], [['got one\n', 'got two\n'], 0]);
  assert.equal(running.write('three\n'), false);
});

test('a program that does not exist, a folder that does not exist, an argument with NUL: said, not thrown', async () => {
  for (const bad of [
    request(['no-such-program']),
    sh('true', { cwd: join(folder, 'none') }),
    request(['echo', 'a\0b']),
    request([]),
  ]) {
    const result = await runProcess(bad);
    assert.equal(result.ended, 'spawn_failed');
    assert.match(result.spawn_error ?? '', /could not be started in/);
  }
});

test('the wall clock ends a program that keeps talking', async () => {
  const result = await runProcess(sh('while :; do echo x; sleep 0.01; done', { limits: { wall_ms: 80 } }));
  assert.deepEqual([result.ended, result.signal], ['wall', 'SIGTERM']);
});

test('silence ends a program, talking does not', async () => {
  const silent = await runProcess(sh('echo x; exec sleep 60', { limits: { idle_ms: 60 } }));
  assert.deepEqual([silent.ended, silent.stdout], ['idle', 'x\n']);
  const talking = await runProcess(
    sh('for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.05; done', { limits: { idle_ms: 300 } }),
  );
  assert.equal(talking.ended, 'exit');
});

test('output over the limit is cut there, and the program is ended', async () => {
  let handed = 0;
  const result = await runProcess(
    request(['yes'], {
      limits: { output_bytes: 100_001 },
      tail_bytes: 1_000,
      onOutput: (chunk) => (handed += chunk.length),
    }),
  );
  assert.deepEqual(
    [result.ended, handed, result.output_bytes, result.stdout.length],
    ['output', 100_001, 100_001, 1_000],
  );
});

test('output over the limit is told also where the program was faster to end', async () => {
  const result = await runProcess(sh('printf 1234567890', { limits: { output_bytes: 4 } }));
  assert.deepEqual([result.ended, result.stdout], ['output', '1234']);
});

test('an abort ends the call; one that came before starts nothing', async () => {
  const controller = new AbortController();
  const result = await runProcess(
    sh('echo up; exec sleep 60', { signal: controller.signal, onOutput: () => controller.abort() }),
  );
  assert.equal(result.ended, 'aborted');
  const never = await runProcess(sh(': > started', { signal: controller.signal }));
  assert.deepEqual([never.ended, existsSync(join(folder, 'started'))], ['aborted', false]);
});

test('a program that ignores the request to end is killed after the grace', async () => {
  const result = await runProcess(
    sh('trap "" TERM; echo up; while :; do sleep 0.01; done', {
      limits: { idle_ms: 30_000, grace_ms: 50, wall_ms: 100 },
    }),
  );
  assert.deepEqual([result.ended, result.signal], ['wall', 'SIGKILL']);
});

test('a program may clean up within the grace', async () => {
  const controller = new AbortController();
  const result = await runProcess(
    sh('trap "echo cleaned; exit 3" TERM; echo up; while :; do sleep 0.01; done', {
      signal: controller.signal,
      onOutput: () => controller.abort(),
    }),
  );
  assert.deepEqual([result.ended, result.stdout, result.exit_code], ['aborted', 'up\ncleaned\n', 3]);
});

test('a child left behind that holds the pipe is ended with the call', async () => {
  const result = await runProcess(sh('sleep 60 & echo $! > left; echo bye'));
  assert.deepEqual(
    [result.ended, result.exit_code, result.stdout, isAlive(pidIn('left'))],
    ['exit', 0, 'bye\n', false],
  );
});

test('a child in a session of its own that ignores TERM is ended with the call', async () => {
  const script =
    'setsid sh -c "trap : TERM; echo \\$\\$ > away; while :; do sleep 0.02; done" & while [ ! -s away ]; do :; done';
  const result = await runProcess(sh(script, { limits: { grace_ms: 30 } }));
  assert.deepEqual([result.ended, result.survivors, isAlive(pidIn('away'))], ['exit', [], false]);
});

test('a descendant without the marker is ended where its parent was seen', async () => {
  const script =
    'setsid env -i PATH=/bin:/usr/bin sh -c "echo \\$\\$ > bare; exec sleep 60" & while [ ! -s bare ]; do :; done; echo up; wait';
  const running = startProcess(sh(script, { onOutput: () => running.end() }));
  const result = await running.done;
  assert.deepEqual([result.ended, isAlive(pidIn('bare'))], ['aborted', false]);
});

test('a stranger that escaped with the pipe in its hands does not hold the call up', async () => {
  const script =
    'setsid env -i PATH=/bin:/usr/bin sh -c "echo \\$\\$ > stranger; exec sleep 60" & while [ ! -s stranger ]; do :; done';
  const result = await runProcess(sh(script));
  assert.equal(result.ended, 'exit');
  process.kill(pidIn('stranger'), 'SIGKILL');
});

test('the start is reported with what names the process for certain', async () => {
  const started: StartedProcess[] = [];
  const running = startProcess(sh('read line', { stdin: 'open', marker: 'm-1', onStart: (one) => started.push(one) }));
  const [one] = started;
  assert.equal(one?.pid, running.pid);
  assert.equal(one?.marker, 'm-1');
  assert.equal(processLives({ pid: one?.pid ?? 0, start_time: one?.start_time ?? '' }), true);
  assert.equal(one?.start_time, processStartTime(one?.pid ?? 0));
  running.closeStdin();
  await running.done;
  assert.equal(processLives({ pid: one?.pid ?? 0, start_time: one?.start_time ?? '' }), false);
});

test('what a callback throws ends the call and reaches the caller', async () => {
  const fault = new Error('disk full');
  const failing = runProcess(
    sh('echo $$ > own; echo x; exec sleep 60', {
      onOutput: () => {
        throw fault;
      },
    }),
  );
  await assert.rejects(failing, fault);
  assert.equal(isAlive(pidIn('own')), false);
});

test('a character that falls on the cut of a tail is dropped whole', async () => {
  const result = await runProcess(sh('printf "€€€"', { tail_bytes: 4 }));
  assert.equal(result.stdout, '€');
});

test('descriptors that the server inherited are not handed on', () => {
  const script = `
    import { runProcess } from ${JSON.stringify(join(import.meta.dirname, '../../server/io/run-process.ts'))};
    const argv = ['bash', '-c', 'cat <&99; (cat <&5) 2> /dev/null || echo closed'];
    const env = { PATH: '${PATH}', HOME: '/' };
    process.stdout.write((await runProcess({ argv, cwd: '/', env, marker: 'a-marker-of-a-test' })).stdout);`;
  const node = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    '--input-type=module-typescript',
    '-e',
    script,
  ];
  const leaking = ['-c', 'exec "$@" 5< /etc/passwd 99< /etc/passwd', 'bash', ...node];
  const { stdout } = spawnSync('bash', leaking, {
    encoding: 'utf8',
    env: { PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  assert.equal(stdout, 'closed\n');
});
