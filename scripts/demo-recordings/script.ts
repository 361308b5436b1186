import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { ROLES } from '../../server/domain/roles.ts';

const turnSchema = z.strictObject({
  say: z.string(),
  calls: z.array(z.tuple([z.string(), z.record(z.string(), z.unknown())])),
});

/** What one call's model says, turn by turn; `{{devloop:run}}` stands for the id of the run that the call is about. */
const callSchema = z.strictObject({
  role: z.enum(ROLES),
  unit: z.string().optional(),
  round: z.int().positive().default(1),
  attempt: z.int().positive().default(1),
  turns: z.array(turnSchema).min(1),
});
export type ScriptCall = z.infer<typeof callSchema>;
export type ScriptTurn = z.infer<typeof turnSchema>;

const scriptSchema = z.object({
  requirement: z.string(),
  date: z.iso.date(),
  calls: z.array(callSchema),
});
export type Script = z.infer<typeof scriptSchema>;

/** Loads a script, a module that exports `requirement`, `date` and `calls`. */
export async function readScript(path: string): Promise<Script> {
  return scriptSchema.parse(await import(pathToFileURL(path).href));
}
