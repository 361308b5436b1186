import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DevLoopError } from '../../domain/errors.ts';
import { parseRemoteName, parseRemoteUrl, type Remote } from '../../domain/remote.ts';
import { systemRefusal } from '../../domain/system-refusal.ts';
import { hasCode } from '../../io/io-error.ts';
import { writeAtomic } from '../../io/write-atomic.ts';
import type { LockedVault, OpenVault } from '../open-vault.ts';

/** Reads where a project may be pushed to (remotes.json in the server's folder for it), by name; none where the file is absent. */
export function readRemotes(vault: OpenVault): readonly Remote[] {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(pathOf(vault), 'utf8'))).remotes;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    if (!(error instanceof SyntaxError || error instanceof z.ZodError || error instanceof DevLoopError)) throw error;
    throw new DevLoopError('store_damaged', `project ${vault.pid}: the list of remotes cannot be read`, {
      data: { pid: vault.pid, path: pathOf(vault) },
      hint: 'Move the file away and add the remotes again.',
      cause: error,
    });
  }
}

/** Adds a remote, or gives the one of this name another address; durable. Throws `validation_failed`. */
export function addRemote(vault: LockedVault, { name, url }: Remote): Remote {
  const { pid } = vault;
  const remote = { name: parseRemoteName(name), url: parseRemoteUrl(url) };
  const others = readRemotes(vault).filter((one) => one.name !== remote.name);
  const remotes = [...others, remote].sort((a, b) => (a.name < b.name ? -1 : 1));
  try {
    writeAtomic(pathOf(vault), `${JSON.stringify({ schema: 1, remotes }, null, 1)}\n`, { mode: 0o600 });
  } catch (error) {
    throw systemRefusal(error, { doing: `adding a remote to project ${pid}`, data: { pid } });
  }
  return remote;
}

const fileSchema = z.object({
  schema: z.literal(1),
  remotes: z.array(
    z.object({ name: z.string().transform(parseRemoteName), url: z.string().transform(parseRemoteUrl) }),
  ),
});

const pathOf = ({ state }: OpenVault): string => join(state, 'remotes.json');
