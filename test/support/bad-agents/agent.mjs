// An agent for the command driver: `node agent.mjs MODE`. It reads the input from its standard input and behaves well or badly.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const mode = process.argv[2];
const input = JSON.parse(readFileSync(0, 'utf8'));
const again = input.prompt.includes('Your result does not fit');
const unit = input.input.unit ?? 'store';
const result = { ok: true, unit_id: unit, attempt: input.input.attempt, summary: mode };
const block = `\n\`\`\`json\n${JSON.stringify(result)}\n\`\`\`\n`;
const answer = () => process.stdout.write(block);
const code = (name = 'a.mjs', text = 'export {};\n') => {
  mkdirSync(`units/${unit}/code`, { recursive: true });
  writeFileSync(`units/${unit}/code/${name}`, text);
};
const node = (source, options) => spawn(process.execPath, ['-e', source], options);
const git = (...argv) =>
  new Promise((done) =>
    spawn(process.env.REAL_GIT ?? 'git', argv, { stdio: 'ignore' })
      .once('exit', done)
      .once('error', done),
  );
const FOREVER = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)';

const modes = {
  answers: () => {
    code();
    answer();
  },
  'answers at the second prompt': () => (again ? answer() : process.stdout.write('done\n')),
  'answers in the file': () => writeFileSync(input.result_file, JSON.stringify(result)),
  'never fits': () => process.stdout.write('done\n'),
  fails: () => {
    process.stderr.write('something broke\n');
    process.exitCode = 3;
  },
  'is silent': () => wait(600_000),
  floods: async () => {
    for (;;) {
      if (!process.stdout.write('x'.repeat(65_536)))
        await new Promise((drained) => process.stdout.once('drain', drained));
    }
  },
  'is busy': async () => {
    for (;;) {
      process.stdout.write('still at it\n');
      await wait(50);
    }
  },
  'noise before': () => {
    process.stdout.write('npm warn something\n\u001b[31m{"not": json\u001b[0m\n');
    answer();
  },
  'torn last line': () => process.stdout.write(block.trimEnd()),
  'cut characters': async () => {
    const bytes = Buffer.from(`añ日😀${block}`);
    for (const byte of bytes) {
      process.stdout.write(Uint8Array.of(byte));
      await new Promise((done) => setImmediate(done));
    }
  },
  'huge message': () => process.stdout.write(`${'m'.repeat(700_000)}${block}`),
  'exits at once': () => process.exit(0),
  'child holds the pipe': () => {
    node(FOREVER, { stdio: 'inherit' });
    answer();
    process.exit(0);
  },
  'setsid child': () => {
    node(FOREVER, { stdio: 'ignore', detached: true }).unref();
    answer();
  },
  'ignores the request to end': () => {
    process.on('SIGTERM', () => {});
    process.on('SIGINT', () => {});
    return wait(600_000);
  },
  'fills the disk': async () => {
    for (let i = 0; ; i++) {
      code(`big-${i}`, 'b'.repeat(400_000));
      await wait(100);
      process.stdout.write('.');
    }
  },
  'writes outside': () => {
    writeFileSync('project.json', 'mine');
    writeFileSync('../outside.txt', 'mine');
    answer();
  },
  'writes through a link': () => {
    mkdirSync(`units/${unit}/code`, { recursive: true });
    symlinkSync('../../../prd', `units/${unit}/code/link`);
    writeFileSync(`units/${unit}/code/link/prd.md`, 'mine');
    answer();
  },
  'writes over a ledger': () => {
    code();
    writeFileSync('timeline.ndjson', '{"seq":1}\n');
    answer();
  },
  'appends to a ledger': () => {
    code();
    appendFileSync('timeline.ndjson', '{"seq":1,"forged":true}\n');
    answer();
  },
  'deletes git': () => {
    rmSync('.git', { recursive: true, force: true });
    answer();
  },
  'rewrites the git config': () => {
    code();
    appendFileSync('.git/config', '[core]\n\tfsmonitor = touch planted\n');
    answer();
  },
  'plants hooks': () => {
    code();
    for (const hook of ['pre-commit', 'reference-transaction', 'post-checkout']) {
      mkdirSync('.git/hooks', { recursive: true });
      writeFileSync(`.git/hooks/${hook}`, '#!/bin/sh\ntouch planted\n', { mode: 0o755 });
    }
    answer();
  },
  'moves HEAD': () => {
    code();
    writeFileSync('.git/HEAD', 'ref: refs/heads/other\n');
    answer();
  },
  'commits by itself': async () => {
    code();
    await git('add', '-A');
    await git('-c', 'user.name=me', '-c', 'user.email=me@example.org', 'commit', '-m', 'mine');
    answer();
  },
  'makes a nested repository': async () => {
    code();
    await git('init', '-q', `units/${unit}/code/nested`);
    writeFileSync(`units/${unit}/code/nested/file`, 'kept');
    answer();
  },
  'writes a pipe': async () => {
    code();
    await new Promise((done) => spawn('mkfifo', [`units/${unit}/code/pipe`]).once('exit', done));
    answer();
  },
  'changes the tests': () => {
    code();
    mkdirSync(`units/${unit}/tests`, { recursive: true });
    writeFileSync(`units/${unit}/tests/${unit}.test.mjs`, '');
    answer();
  },
  'changes nothing': answer,
  'promises green without tests': () => {
    const promised = { ...result, tests: [], summary: 'all green' };
    mkdirSync(`units/${unit}/tests`, { recursive: true });
    writeFileSync(`units/${unit}/tests/${unit}.test.mjs`, '');
    process.stdout.write(`\n\`\`\`json\n${JSON.stringify(promised)}\n\`\`\`\n`);
  },
  'a result that is a link': () => again || symlinkSync('/etc/passwd', input.result_file),
  'a result that is a pipe': () =>
    again || new Promise((done) => spawn('mkfifo', [input.result_file]).once('exit', done)),
  'tries everything': async () => {
    const tries = {
      'write its code': () => code(),
      'write its result': () => writeFileSync(input.result_file, JSON.stringify(result)),
      'write units.json': () => writeFileSync('units.json', '{}'),
      'write a contract': () => writeFileSync(`units/${unit}/contract.json`, '{}'),
      'write the PRD': () => writeFileSync('prd/prd.md', 'mine'),
      'write project.json': () => writeFileSync('project.json', 'mine'),
      'write tests': () => writeFileSync('units/store/tests/a.test.mjs', 'mine'),
      'write its own transcript': () => appendFileSync(`agent-state/calls/${input.call}/transcript.ndjson`, 'mine'),
      'read git': () => readFileSync('.git/HEAD'),
      'write git': () => writeFileSync('.git/HEAD', 'mine'),
      'delete git': () => rmSync('.git', { recursive: true }),
      'read a ledger': () => readFileSync('timeline.ndjson', 'utf8') || undefined,
      'write a ledger': () => appendFileSync('timeline.ndjson', 'mine'),
      'reach the network': async () => {
        await fetch(process.env.OUTSIDE_URL);
      },
    };
    for (const [name, attempt] of Object.entries(tries)) {
      try {
        const got = await attempt();
        if (name !== 'read a ledger' || got !== undefined) process.stdout.write(`did ${name}\n`);
      } catch {}
    }
  },
  'prints its environment': () => {
    process.stdout.write(`${JSON.stringify(process.env)}\n`);
    answer();
  },
};

await modes[mode]();
