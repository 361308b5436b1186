import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './running-server.ts';

/** Packages of real agents, and their programs in node_modules. */
const PACKAGES = {
  opencode: {
    name: `opencode-linux-${process.arch}`,
    version: '1.18.33',
    program: `opencode-linux-${process.arch}/bin/opencode`,
  },
  codex: { name: '@openai/codex', version: '0.171.0', program: '@openai/codex/bin/codex.js' },
  gemini: { name: '@google/gemini-cli', version: '0.61.0', program: '.bin/gemini' },
} as const;

const INSTALL_MS = 180_000;

/**
 * The absolute path of a real agent's program; its package is installed below `.tmp/agents/`, without scripts, when a test first
 * wants it. @throws Error that says so where the registry does not give it: a test of real agents without them has not passed.
 */
export function realAgent(agent: keyof typeof PACKAGES): string {
  const { name, version, program } = PACKAGES[agent];
  const folder = join(ROOT, '.tmp', 'agents', `${agent}-${version}`);
  const path = join(folder, 'node_modules', program);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    install(folder, `${name}@${version}`);
    if (!existsSync(path)) throw new Error(`${name}@${version} was installed and has no ${program}`);
  }
  return path;
}

function install(folder: string, what: string): void {
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=1'];
  const ran = spawnSync('npm', ['install', ...flags, what], {
    cwd: folder,
    timeout: INSTALL_MS,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (ran.status === 0) return;
  const why = ran.error?.message ?? ran.stderr.trim();
  throw new Error(`the npm registry did not give ${what}, so that this real agent could not be tested: ${why}`);
}
