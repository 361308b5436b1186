import { randomBytes } from 'node:crypto';
import { runProcess } from '../io/run-process.ts';
import { NAMESPACES } from './bubblewrap.ts';
import { findPrograms } from './find-programs.ts';

type Probe = { readonly kind: 'works'; readonly program: string } | { readonly kind: 'fails'; readonly why: string };

/** Runs a program in the namespaces that confined programs get, and expects its exit status back. */
export async function probeBubblewrap(path: string): Promise<Probe> {
  const [program] = findPrograms('bwrap', path);
  if (program === undefined) return { kind: 'fails', why: 'bubblewrap (bwrap) is not in PATH' };
  const argv = [program, '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...NAMESPACES, '--unshare-net'];
  const result = await runProcess({
    argv: [...argv, '--', 'sh', '-c', 'exit 42'],
    cwd: '/',
    env: { PATH: path },
    marker: randomBytes(16).toString('hex'),
    limits: { wall_ms: 10_000, output_bytes: 100_000, grace_ms: 0 },
  });
  if (result.exit_code === 42) return { kind: 'works', program };
  const said = result.spawn_error ?? (result.stderr.trim() || `exit status ${result.exit_code}`);
  return { kind: 'fails', why: `${program} does not work here: ${said}` };
}
