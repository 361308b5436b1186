import type { ToolCall, ToolSpec } from '../model/chat-model.ts';
import { editFile } from './edit-file.ts';
import { listFiles } from './list-files.ts';
import { readFile } from './read-file.ts';
import { runTests } from './run-tests.ts';
import { search } from './search.ts';
import { refused, type Tool, type ToolAnswer, type ToolSetting } from './tool.ts';
import { writeFile } from './write-file.ts';

/** The tools of one call. */
export interface ToolBox {
  readonly specs: readonly ToolSpec[];
  /** Whatever is wrong with a call is the answer's text: an unknown tool, arguments that are not JSON or do not fit. */
  use(call: ToolCall): Promise<ToolAnswer>;
}

const ALWAYS: readonly Tool[] = [listFiles, readFile, writeFile, editFile, search];

export function toolBox(setting: ToolSetting): ToolBox {
  const tools = setting.runTests === undefined ? ALWAYS : [...ALWAYS, runTests];
  return {
    specs: tools.map(({ spec }) => spec),
    use: async (call) => {
      const tool = tools.find(({ spec }) => spec.name === call.name);
      if (tool === undefined) return refused(`there is no tool ${JSON.stringify(call.name)}`);
      const args = parseArguments(call.arguments);
      return args.kind === 'json' ? tool.run(args.value, setting) : refused(args.why);
    },
  };
}

function parseArguments(
  text: string,
): { readonly kind: 'json'; readonly value: unknown } | { readonly kind: 'malformed'; readonly why: string } {
  try {
    return { kind: 'json', value: text.trim() === '' ? {} : JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { kind: 'malformed', why: 'the arguments are not JSON; send the call again' };
  }
}
