// An agent for the command driver: `node agent.mjs MODE`. It reads the input from its standard input and behaves well or badly.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { deeds, writeCode } from './deeds.mjs';

const mode = process.argv[2];
const input = JSON.parse(readFileSync(0, 'utf8'));
const again = input.prompt.includes('Your result does not fit');
const unit = input.input.unit ?? 'store';
const result = { ok: true, unit_id: unit, attempt: input.input.attempt, summary: mode };
const block = `\n\`\`\`json\n${JSON.stringify(result)}\n\`\`\`\n`;
const answer = () => process.stdout.write(block);
const code = () => writeCode(unit);

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

if (deeds[mode] === undefined) await modes[mode]();
else {
  await deeds[mode](unit);
  answer();
}
