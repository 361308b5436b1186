import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

export type RawGit = (...args: readonly string[]) => string;

/** Runs git itself in a folder, with an environment of its own; output as text without the last newline. */
export function rawGit(cwd: string, input?: string | Uint8Array): RawGit {
  return (...args) =>
    rawGitBytes(
      cwd,
      input,
    )(...args)
      .toString('utf8')
      .replace(/\n$/, '');
}

/** The same, output as bytes. */
export function rawGitBytes(cwd: string, input?: string | Uint8Array): (...args: readonly string[]) => Buffer {
  return (...args) =>
    execFileSync('git', [...args], {
      cwd,
      env: ENVIRONMENT,
      maxBuffer: 256 * 1024 * 1024,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...(input === undefined ? {} : { input }),
    });
}

/** Makes a folder with an empty repository on branch main. */
export function rawRepository(folder: string): RawGit {
  mkdirSync(folder, { recursive: true });
  const git = rawGit(folder);
  git('init', '-q', '-b', 'main');
  return git;
}

const ENVIRONMENT = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'A Person',
  GIT_AUTHOR_EMAIL: 'person@example.org',
  GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
  GIT_COMMITTER_NAME: 'A Person',
  GIT_COMMITTER_EMAIL: 'person@example.org',
  GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
};
