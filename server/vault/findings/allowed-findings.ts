import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DevLoopError } from '../../domain/errors.ts';
import type { FindingKey } from '../../domain/finding.ts';
import { parseOid } from '../../domain/ids.ts';
import { hasCode } from '../../io/io-error.ts';
import { writeAtomic } from '../../io/write-atomic.ts';
import type { OpenVault } from '../open-vault.ts';
import { keyOf } from './first-found.ts';

/** Reads which findings a person has allowed (allowed-findings.json), none where the file is absent. */
export function readAllowed(vault: OpenVault): readonly FindingKey[] {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(pathOf(vault), 'utf8'))).allowed;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new DevLoopError('vault_damaged', `project ${vault.pid}: the list of allowed findings cannot be read`, {
      data: { pid: vault.pid, path: pathOf(vault) },
      hint: 'Move the file away and allow the findings again.',
      cause: error,
    });
  }
}

/** Adds to the findings that are allowed; durable. */
export function writeAllowed(vault: OpenVault, { blob, rule }: FindingKey): void {
  const before = readAllowed(vault).filter((one) => keyOf(one) !== keyOf({ blob, rule }));
  const content = { schema: 1, allowed: [...before, { blob, rule }] };
  writeAtomic(pathOf(vault), `${JSON.stringify(content, null, 1)}\n`);
}

const fileSchema = z.object({
  schema: z.literal(1),
  allowed: z.array(z.object({ blob: z.string().transform((text) => parseOid(text)), rule: z.string() })),
});

const pathOf = ({ state }: OpenVault): string => join(state, 'allowed-findings.json');
