// An agent that speaks ACP by hand: `node acp-agent.mjs MODE`. It answers well or badly, and asks for files and permissions.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { deeds } from './deeds.mjs';

const mode = process.argv[2];
const result = { ok: true, unit_id: 'store', attempt: 1, summary: mode };
let block = '';
const send = (message) => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (given) => send({ method: 'session/update', params: { sessionId: 's-1', update: given } });
const say = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const waiting = new Map();
let asked = 0;
const ask = (method, params) =>
  new Promise((resolve) => {
    asked += 1;
    waiting.set(`q${asked}`, resolve);
    send({ id: `q${asked}`, method, params: { sessionId: 's-1', ...params } });
  });
const report = async (method, params) => say(`${JSON.stringify(await ask(method, params))}\n`);
let prompts = 0;
let authenticated = false;

const modes = {
  answers: () => say(block),
  'answers at the second prompt': () => say(prompts === 1 ? 'done' : block),
  'never fits': () => say('done'),
  fails: () => {
    process.stderr.write('something broke\n');
    process.exit(3);
  },
  'is silent': () => wait(600_000),
  floods: async () => {
    for (;;) {
      say('x'.repeat(5000));
      await wait(1);
    }
  },
  'is busy': async () => {
    for (;;) {
      say('.');
      await wait(50);
    }
  },
  'unknown update kinds': () => {
    update({ sessionUpdate: 'of_the_future', content: 7 });
    update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } });
    send({ method: 'session/of_the_future', params: {} });
    send({ id: 'never asked', result: {} });
    say(block);
  },
  'noise before': () => {
    process.stdout.write('npm warn something\n{"not": json\n[1]\n');
    say(block);
  },
  'cut characters': async () => {
    const content = { type: 'text', text: `añ日😀${block}` };
    const params = { sessionId: 's-1', update: { sessionUpdate: 'agent_message_chunk', content } };
    for (const byte of Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })}\n`)) {
      process.stdout.write(Uint8Array.of(byte));
      await new Promise((done) => setImmediate(done));
    }
  },
  'huge message': () => say(`${'m'.repeat(700_000)}${block}`),
  'torn last line': (id) => {
    say(block);
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: { stopReason: 'end_turn' } }));
    process.exit(0);
  },
  'answers after cancel': () => wait(600_000),
  refuses: () => 'refusal',
  'stops at a limit': () => 'max_tokens',
  'strange stop reason': () => 'of_the_future',
  'refuses the prompt': (id) => {
    send({ id, error: { code: -32603, message: 'no credit' } });
    return null;
  },
  'reads and writes': async () => {
    const root = process.cwd();
    await report('fs/read_text_file', { path: `${root}/prd/prd.md`, line: 2, limit: 1 });
    await report('fs/write_text_file', { path: `${root}/units/store/code/new.mjs`, content: 'export {};' });
    for (const path of [
      `${root}/prd/prd.md`,
      `${root}/.git/config`,
      '/etc/hosts',
      `${root}/../outside`,
      'units/store/tests/x',
    ])
      await report('fs/write_text_file', { path, content: 'mine' });
    for (const path of [`${root}/timeline.ndjson`, '/etc/passwd', `${root}/../../secret`])
      await report('fs/read_text_file', { path });
    say(block);
  },
  'asks for permission': async () => {
    const root = process.cwd();
    const options = ['allow_always', 'allow_once', 'reject_once'].map((kind) => ({
      optionId: `id-${kind}`,
      name: kind,
      kind,
    }));
    const permission = (toolCall) =>
      report('session/request_permission', { options, toolCall: { toolCallId: 't', ...toolCall } });
    await permission({ kind: 'edit', locations: [{ path: `${root}/units/store/code/a.mjs` }] });
    await permission({ kind: 'edit', content: [{ type: 'diff', path: `${root}/prd/prd.md`, newText: 'x' }] });
    await permission({ kind: 'execute', rawInput: { command: 'npm test' } });
    await permission({ kind: 'execute', rawInput: { command: ['sh', '-c', 'git commit'] } });
    await permission({ kind: 'fetch' });
    await permission({ kind: 'read', locations: [{ path: '/etc/passwd' }] });
    say(block);
  },
  'tells what it spent': () => {
    update({ sessionUpdate: 'usage_update', used: 5, size: 10, cost: { amount: 0.25, currency: 'USD' } });
    update({ sessionUpdate: 'usage_update', used: 6, size: 10, cost: { amount: 0.5, currency: 'USD' } });
    say(block);
  },
  'uses tools': () => {
    mkdirSync('units/store/code', { recursive: true });
    writeFileSync('units/store/code/a.mjs', 'export {};\n');
    say('I will write a file.');
    update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'write a.mjs', kind: 'edit', status: 'pending' });
    update({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed', rawOutput: 'ok' });
    say(block);
  },
};

/** What a coder is asked for. */
function readTask(text) {
  const [, unit] = /"unit": "([a-z-]+)"/.exec(text) ?? [];
  if (unit !== undefined) result.unit_id = unit;
  block = `\n\`\`\`json\n${JSON.stringify(result)}\n\`\`\`\n`;
}

async function doAndAnswer() {
  await deeds[mode](result.unit_id);
  say(block);
}

const handlers = {
  initialize: () =>
    mode === 'wrong protocol version'
      ? { protocolVersion: 99 }
      : { protocolVersion: 1, agentCapabilities: {}, authMethods: [{ id: 'key', name: 'A key' }] },
  authenticate: () => {
    authenticated = true;
    return {};
  },
  'session/new': () => {
    if (mode === 'asks to authenticate' && !authenticated) throw { code: -32000, message: 'Authentication required' };
    return { sessionId: 's-1' };
  },
  'session/prompt': async (id, { prompt }) => {
    prompts += 1;
    readTask(prompt.map(({ text }) => text).join());
    const stopReason = await (deeds[mode] === undefined ? (modes[mode] ?? modes.answers)(id) : doAndAnswer());
    if (stopReason === null) return undefined;
    return { stopReason: stopReason ?? 'end_turn', usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10 } };
  },
  'session/cancel': () => {
    if (mode === 'answers after cancel') say(block);
  },
};

if (mode === 'exits at once') process.exit(0);
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, ...rest } = JSON.parse(line);
  if (method === undefined) {
    waiting.get(id)?.(rest.result ?? rest.error);
    return;
  }
  try {
    const answer = await handlers[method]?.(id, rest.params);
    if (id !== undefined && answer !== undefined) send({ id, result: answer });
  } catch (error) {
    send({ id, error });
  }
});
