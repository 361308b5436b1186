// What bad agents of every driver do to the files of their project before they answer as if nothing were. They work where they were started.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Runs for ever, whoever asks it to end. */
const FOREVER = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)';

const run = (program, argv) =>
  new Promise((done) => spawn(program, argv, { stdio: 'ignore' }).once('exit', done).once('error', done));
const git = (...argv) => run(process.env.REAL_GIT ?? 'git', argv);
const node = (source, options) => spawn(process.execPath, ['-e', source], options);

/** Writes a file of the unit's code. */
export function writeCode(unit, name = 'a.mjs', text = 'export {};\n') {
  mkdirSync(`units/${unit}/code`, { recursive: true });
  writeFileSync(`units/${unit}/code/${name}`, text);
}

/** The deeds by name; each is given the unit that the agent was asked to work on. */
export const deeds = {
  'writes outside': () => {
    writeFileSync('project.json', 'mine');
    writeFileSync('../outside.txt', 'mine');
  },
  'writes beside its project': (unit) => {
    writeCode(unit);
    writeFileSync('../beside.txt', 'mine');
  },
  'writes through a link': (unit) => {
    mkdirSync(`units/${unit}/code`, { recursive: true });
    symlinkSync('../../../prd', `units/${unit}/code/link`);
    writeFileSync(`units/${unit}/code/link/prd.md`, 'mine');
  },
  'writes over a ledger': (unit) => {
    writeCode(unit);
    writeFileSync('timeline.ndjson', '{"seq":1}\n');
  },
  'appends to a ledger': (unit) => {
    writeCode(unit);
    appendFileSync('timeline.ndjson', '{"seq":1,"forged":true}\n');
  },
  'deletes git': () => rmSync('.git', { recursive: true, force: true }),
  'rewrites the git config': (unit) => {
    writeCode(unit);
    appendFileSync('.git/config', '[core]\n\tfsmonitor = touch planted\n');
  },
  'plants hooks': (unit) => {
    writeCode(unit);
    for (const hook of ['pre-commit', 'reference-transaction', 'post-checkout']) {
      mkdirSync('.git/hooks', { recursive: true });
      writeFileSync(`.git/hooks/${hook}`, '#!/bin/sh\ntouch planted\n', { mode: 0o755 });
    }
  },
  'moves HEAD': (unit) => {
    writeCode(unit);
    writeFileSync('.git/HEAD', 'ref: refs/heads/other\n');
  },
  'commits by itself': async (unit) => {
    writeCode(unit);
    await git('add', '-A');
    await git('-c', 'user.name=me', '-c', 'user.email=me@example.org', 'commit', '-m', 'mine');
  },
  'makes a nested repository': async (unit) => {
    writeCode(unit);
    await git('init', '-q', `units/${unit}/code/nested`);
    writeFileSync(`units/${unit}/code/nested/file`, 'kept');
  },
  'writes a pipe': async (unit) => {
    writeCode(unit);
    await run('mkfifo', [`units/${unit}/code/pipe`]);
  },
  'changes the tests': (unit) => {
    writeCode(unit);
    mkdirSync(`units/${unit}/tests`, { recursive: true });
    writeFileSync(`units/${unit}/tests/${unit}.test.mjs`, '');
  },
  'changes nothing': () => {},
  'setsid child': () => node(FOREVER, { stdio: 'ignore', detached: true }).unref(),
  'child holds the pipe': () => node(FOREVER, { stdio: 'inherit', detached: true }).unref(),
  'ignores the request to end': () => {
    process.on('SIGTERM', () => {});
    process.on('SIGINT', () => {});
    return wait(600_000);
  },
  'fills the disk': async (unit) => {
    for (let i = 0; ; i++) {
      writeCode(unit, `big-${i}`, 'b'.repeat(400_000));
      await wait(100);
    }
  },
};
