import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { ROLES } from '../../server/domain/roles.ts';
import type { Script, ScriptCall, ScriptTurn } from './script.ts';

const messageSchema = z.looseObject({ role: z.string(), content: z.string().nullable() });
const requestSchema = z.looseObject({ messages: z.array(messageSchema) });
/** What a task says of the call it is of; tasks of PM and Architect name neither round nor attempt. */
const taskSchema = z.looseObject({
  role: z.enum(ROLES),
  unit: z.string().optional(),
  round: z.int().default(1),
  attempt: z.int().default(1),
  run: z.string().default(''),
});

/** Serves a script as an OpenAI-compatible model on loopback: each request is answered with the turn that the script has for its call. */
export async function startScriptServer(script: Script): Promise<{ readonly base_url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { messages } = requestSchema.parse(JSON.parse(text));
    const task = taskOf(messages);
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    const said = script.calls.find((call) => isOf(call, task))?.turns[turn];
    if (said === undefined) fail(response, `the script has no turn ${turn + 1} for ${JSON.stringify(task)}`);
    else answer(response, { said, turn, run: task.run });
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

function taskOf(messages: readonly z.infer<typeof messageSchema>[]): Task {
  const prompt = messages.find(({ role }) => role === 'user')?.content ?? '';
  return taskSchema.parse(JSON.parse(/```json\n([\s\S]*?)\n```/.exec(prompt)?.[1] ?? 'null'));
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
