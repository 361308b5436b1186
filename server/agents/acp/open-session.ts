import { type ClientContext, methods, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import { type CallFailure, failure } from '../driver.ts';

const AUTH_REQUIRED = -32000;

/** Agrees on the protocol, authenticates where the agent asks for it, and opens a session. */
export async function openSession(
  agent: ClientContext,
  { cwd, auth_method }: { readonly cwd: string; readonly auth_method?: string | undefined },
): Promise<{ readonly kind: 'session'; readonly id: string } | CallFailure> {
  const hello = await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: false },
  });
  if (hello.protocolVersion !== PROTOCOL_VERSION)
    return failure(
      'not_started',
      `the agent speaks version ${hello.protocolVersion} of the protocol, not ${PROTOCOL_VERSION}`,
    );
  const open = () => agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
  try {
    return { kind: 'session', id: (await open()).sessionId };
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== AUTH_REQUIRED) throw error;
  }
  const ways = (hello.authMethods ?? []).map(({ id }) => id);
  if (auth_method === undefined || !ways.includes(auth_method))
    return failure(
      'not_started',
      `the agent asks to authenticate: set auth_method to one of ${ways.join(', ') || 'none that it names'}`,
    );
  await agent.request(methods.agent.authenticate, { methodId: auth_method });
  return { kind: 'session', id: (await open()).sessionId };
}
