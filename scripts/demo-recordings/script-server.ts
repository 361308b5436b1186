import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { ROLES } from '../../server/domain/roles.ts';
import type { Script, ScriptCall, ScriptTurn } from './script.ts';

const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() });
const messageSchema = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(partSchema)]).nullish(),
});
const requestSchema = z.looseObject({ messages: z.array(messageSchema), tools: z.array(z.unknown()).optional() });
/** What a task says of the call it is of; tasks of PM and Architect name neither round nor attempt. */
const taskSchema = z.looseObject({
  role: z.enum(ROLES),
  unit: z.string().optional(),
  round: z.int().default(1),
  attempt: z.int().default(1),
  run: z.string().default(''),
});

type ScriptTool = ScriptTurn['calls'][number];

/**
 * Serves a script as an OpenAI-compatible model on loopback: each request is answered with the turn that the script has for its call.
 * @param inWordsOf how another agent's tools are called in place of ours.
 */
export async function startScriptServer(
  script: Script,
  inWordsOf: (call: ScriptTool) => ScriptTool = (call) => call,
): Promise<{ readonly base_url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { messages, tools } = requestSchema.parse(JSON.parse(text));
    if (tools === undefined || tools.length === 0) return answer(response, { said: NO_TOOLS, turn: 0, run: '' });
    const task = taskOf(messages);
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    const said = script.calls.find((call) => isOf(call, task))?.turns[turn];
    if (said === undefined) fail(response, `the script has no turn ${turn + 1} for ${JSON.stringify(task)}`);
    else answer(response, { said: { ...said, calls: said.calls.map(inWordsOf) }, turn, run: task.run });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Task = z.infer<typeof taskSchema>;

/** Agents ask their model for titles and summaries, without tools. */
const NO_TOOLS: ScriptTurn = { say: 'A title', calls: [] };

function taskOf(messages: readonly z.infer<typeof messageSchema>[]): Task {
  const prompts = messages.filter(({ role }) => role === 'user').map(({ content }) => textOf(content));
  const task = prompts
    .map((prompt) => /Your task:\n\n```json\n([\s\S]*?)\n```/.exec(prompt)?.[1])
    .find((found) => found !== undefined);
  return taskSchema.parse(JSON.parse(task ?? 'null'));
}

function textOf(content: z.infer<typeof messageSchema>['content']): string {
  return Array.isArray(content) ? content.map(({ text }) => text ?? '').join('\n') : (content ?? '');
}

const isOf = (call: ScriptCall, task: Task): boolean =>
  call.role === task.role && call.unit === task.unit && call.round === task.round && call.attempt === task.attempt;

function answer(
  response: ServerResponse,
  { said, turn, run }: { readonly said: ScriptTurn; readonly turn: number; readonly run: string },
): void {
  const spoken = (text: string) => text.replaceAll('{{devloop:run}}', run);
  const tool_calls = said.calls.map(([name, args], index) => ({
    index,
    id: `call_${turn + 1}_${index + 1}`,
    function: { name, arguments: spoken(JSON.stringify(args)) },
  }));
  const delta = { content: spoken(said.say), ...(tool_calls.length === 0 ? {} : { tool_calls }) };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`data: ${JSON.stringify({ choices: [{ delta, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`);
}

function fail(response: ServerResponse, message: string): void {
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message } }));
}
