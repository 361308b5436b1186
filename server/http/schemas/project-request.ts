import { z } from 'zod';
import { RECOVERY_OPTIONS } from '../../domain/events.ts';
import { parseCompanyId } from '../../domain/ids.ts';
import { PROJECT_STATUSES, settingsSchema } from '../../domain/project.ts';
import { teamInputSchema } from '../../domain/team-presets.ts';
import { cursor, gate, pageLimit, unitId } from './common.ts';

const companyId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/)
  .transform((text) => parseCompanyId(text));
const sentence = z.string().trim().min(1).max(2000);

export const newProject = z.strictObject({
  requirement: z.string().trim().min(1).max(100_000).meta({ description: 'What is to be built, in plain words' }),
  name: z.string().trim().min(1).max(200).optional(),
  company: companyId.optional().meta({ description: 'Folder that groups projects; `default` where absent' }),
  team: teamInputSchema.optional(),
  settings: settingsSchema.optional(),
});

export const projectQuery = z.strictObject({
  company: companyId.optional(),
  status: z.enum(PROJECT_STATUSES).optional(),
  limit: pageLimit.default(50),
  cursor: cursor.optional(),
});

export const runStart = z.strictObject({
  units: z.array(unitId).min(1).max(200).optional().meta({ description: 'Failed units that get a new round' }),
});
export const gateAnswer = z.strictObject({
  gate,
  note: sentence.optional(),
  revision: z.int().min(1).optional().meta({ description: 'The one that was read; another one is not answered' }),
});
export const feedback = z.strictObject({ text: z.string().trim().min(1).max(100_000) });
export const signOff = z.strictObject({ user_id: z.string().trim().min(1).max(200) });
export const abandonment = z.strictObject({ reason: sentence });
export const recoveryAnswer = z.strictObject({
  action: z.enum(RECOVERY_OPTIONS),
  snapshot: z.string().min(1).max(200).meta({ description: 'Id of the state that was shown' }),
});
export const pageQuery = z.strictObject({ limit: pageLimit.default(50), cursor: cursor.optional() });
