import { z } from 'zod';
import { RESTORE_SCOPES } from '../../domain/workspace-restore.ts';
import { listOf, timestamp } from './common.ts';

export const restoreList = listOf(
  z
    .object({
      id: z.string(),
      point: z.string().meta({ description: 'What the files became' }),
      scope: z.enum(RESTORE_SCOPES).optional(),
      into: z.string().optional().meta({ description: 'The new folder that was written instead' }),
      changed: z.int().meta({ description: 'Files and folders' }),
      pre: z.string().optional().meta({ description: 'The point of the state before' }),
      applied_at: timestamp.optional(),
      undoes: z.string().optional().meta({ description: 'The restore that this one took back' }),
    })
    .meta({ id: 'AppliedRestore' }),
);
