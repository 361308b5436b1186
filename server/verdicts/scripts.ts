import { z } from 'zod';
import { readIfFile } from './output.ts';

const packageSchema = z.object({ scripts: z.record(z.string(), z.string()) });

/** The scripts in the package.json of a unit's folder; none where there is no such file. */
export function readScripts(root: string, unit: string): Readonly<Record<string, string>> {
  const text = readIfFile(root, `units/${unit}/package.json`);
  if (text === undefined) return {};
  try {
    const parsed = packageSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data.scripts : {};
  } catch (error) {
    // A broken package.json is the test run's to complain of.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
