import { join, relative } from 'node:path';
import { type ClientApp, client, methods, RequestError } from '@agentclientprotocol/sdk';
import { bytePathFromText } from '../../domain/byte-path.ts';
import { inScope } from '../../domain/write-scope.ts';
import { projectJail } from '../tools/project-jail.ts';
import { visiblePath } from '../tools/visible-path.ts';
import type { AcpSetup } from './acp-setup.ts';
import { answerPermission } from './permission-request.ts';

/** What an agent may ask of us: files within the jail, and permissions, which the policy answers. Each decision is noted. */
export function jailedClient({ call, team, place, guard }: AcpSetup): ClientApp {
  const { context, progress } = call;
  const stage = join(place.root, 'agent-state', 'calls', context.call);
  const jail = projectJail({ root: place.root, call: context.call, scope: context.scope, stage });
  const below = (path: string): string | undefined => {
    const inner = [place.root, context.root]
      .map((root) => relative(root, path))
      .find((one) => !/^(\.\.(\/|$)|\/)/.test(one));
    return inner !== undefined && visiblePath(inner, context.call).kind === 'path' ? inner : undefined;
  };
  const bounds = {
    network: team.network ?? false,
    refusal: (command: string | readonly string[]) =>
      typeof command === 'string' ? guard.checkScript(command) : guard.checkArguments(command),
    confined: place.layers.includes('bubblewrap'),
    inScope: (path: string) => inScope(bytePathFromText(path), context.scope),
  };
  return client({ name: 'devloop' })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      const { decision, response } = answerPermission(params, bounds, below);
      progress.note({ kind: 'permission', tool: params.toolCall.title ?? params.toolCall.kind ?? '', ...decision });
      return response;
    })
    .onRequest(methods.client.fs.readTextFile, ({ params }) => {
      const read = orRefuse(jail.readable(below(params.path) ?? params.path));
      const content = orRefuse(jail.read(read.path));
      const from = (params.line ?? 1) - 1;
      const lines = (content.text ?? '')
        .split('\n')
        .slice(from, params.limit == null ? undefined : from + params.limit);
      return { content: lines.join('\n') };
    })
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      const target = orRefuse(jail.writable(below(params.path) ?? params.path));
      const bytes = Buffer.from(params.content);
      progress.wrote(bytes.length);
      orRefuse(jail.write(target.path, bytes));
      progress.note({ kind: 'tool_result', name: 'write_text_file', path: target.path, bytes: bytes.length });
      return {};
    });
}

/** A refusal is an answer to the agent. */
function orRefuse<Given extends { readonly kind: string }>(given: Given): Exclude<Given, { readonly kind: 'refused' }> {
  if (isRefused(given)) throw RequestError.invalidParams(undefined, given.why);
  return given as Exclude<Given, { readonly kind: 'refused' }>;
}

function isRefused(given: { readonly kind: string }): given is { readonly kind: 'refused'; readonly why: string } {
  return given.kind === 'refused';
}
