import { z } from 'zod';
import type { UnitReport } from '../../domain/verdicts.ts';
import type { CallProgress } from '../driver.ts';
import type { ToolSpec } from '../model/chat-model.ts';
import type { ProjectJail } from './project-jail.ts';

/** A tool's answer to the model. `text` is the same on every run; `aside` (raw output) need not be. */
export interface ToolAnswer {
  readonly text: string;
  readonly aside?: string;
}

export interface ToolSetting {
  readonly jail: ProjectJail;
  readonly progress: CallProgress;
  readonly runTests?: () => Promise<UnitReport>;
}

export interface Tool {
  readonly spec: ToolSpec;
  /** Arguments that do not fit are an answer too: the model is told what is wrong with them. */
  run(args: unknown, setting: ToolSetting): Promise<ToolAnswer>;
}

/** Makes a tool of its description, its arguments' schema and what it does. */
export function defineTool<Args extends z.ZodType>(given: {
  readonly name: string;
  readonly description: string;
  readonly args: Args;
  readonly run: (args: z.output<Args>, setting: ToolSetting) => ToolAnswer | Promise<ToolAnswer>;
}): Tool {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(given.args, { io: 'input' });
  return {
    spec: { name: given.name, description: given.description, parameters },
    run: async (raw, setting) => {
      const args = given.args.safeParse(raw);
      if (args.success) return given.run(args.data, setting);
      const faults = args.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`);
      return refused(`the arguments do not fit: ${faults.join('; ')}`);
    },
  };
}

/** An answer that says why nothing was done. */
export function refused(why: string): ToolAnswer {
  return { text: `error: ${why}` };
}
