import { execFileSync } from 'node:child_process';
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

/** The absolute path of a real agent's program; its package is installed below `.tmp/agents/`, without scripts, when a test first wants it. */
export function realAgent(agent: keyof typeof PACKAGES): string {
  const { name, version, program } = PACKAGES[agent];
  const folder = join(ROOT, '.tmp', 'agents', `${agent}-${version}`);
  const path = join(folder, 'node_modules', program);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
    execFileSync('npm', ['install', ...flags, `${name}@${version}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return path;
}
