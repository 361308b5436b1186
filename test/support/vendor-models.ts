import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { CODER_RESULT, fenced } from './agent-context.ts';

const CODE = { path: 'units/store/code/a.mjs', content: 'export {};\n' };

/** A model of the OpenAI Responses API that lets Codex write one file and then gives a coder's result; its address. */
export function responsesModel(t: TestContext): Promise<string> {
  return serve(t, (body, response) => {
    const written = JSON.stringify(body).includes('function_call_output');
    const command = `mkdir -p units/store/code && printf '${CODE.content.trim()}\\n' > ${CODE.path}`;
    const item = written
      ? { type: 'message', id: 'm1', role: 'assistant', content: [{ type: 'output_text', text: fenced(CODER_RESULT) }] }
      : {
          type: 'function_call',
          id: 'f1',
          call_id: 'c1',
          name: 'exec_command',
          arguments: JSON.stringify({ cmd: command }),
        };
    const usage = {
      input_tokens: 10,
      input_tokens_details: null,
      output_tokens: 5,
      output_tokens_details: null,
      total_tokens: 15,
    };
    stream(response, [
      { type: 'response.created', response: { id: 'r1' } },
      { type: 'response.output_item.done', item },
      { type: 'response.completed', response: { id: 'r1', usage } },
    ]);
  });
}

/** A model of the Gemini API that does the same for Gemini CLI. */
export function geminiModel(t: TestContext): Promise<string> {
  return serve(t, (body, response) => {
    const written = JSON.stringify(body).includes('functionResponse');
    const { path: file_path, content } = CODE;
    const part = written
      ? { text: fenced(CODER_RESULT) }
      : { functionCall: { name: 'write_file', args: { file_path, content } } };
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
    stream(response, [
      { candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }], usageMetadata },
    ]);
  });
}

async function serve(t: TestContext, answer: (body: unknown, response: ServerResponse) => void): Promise<string> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    if (request.method === 'POST') answer(JSON.parse(text), response);
    else response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function stream(response: ServerResponse, events: readonly object[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    const name = 'type' in event ? `event: ${event.type}\n` : '';
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}
