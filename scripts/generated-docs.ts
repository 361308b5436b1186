// Parts of the documentation that are made from the registries: what stands between `<!-- made: NAME -->` and `<!-- end -->`.
import { Option } from 'commander';
import { COMMON_FLAGS } from '../server/cli/flags.ts';
import { COMMANDS } from '../server/cli/registry.ts';
import { openApiDocument, placeOf } from '../server/http/openapi.ts';
import { ROUTE_BASES, type Route, type RouteBase } from '../server/http/route.ts';
import { ROUTES } from '../server/http/routes/all-routes.ts';

/** Text of each made part, by file below docs/ and name. */
export async function madeParts(): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> {
  return {
    'http-api.md': {
      routes: await routesTable(ROUTE_BASES[0]),
      'routes of workspaces': await routesTable(ROUTE_BASES[1]),
    },
    'cli.md': { commands: await commandsText(), 'common flags': commonFlagsTable() },
  };
}

/** The document with its made parts put in anew. Throws where a part has no place. */
export function withParts(document: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const start = `<!-- made: ${name} -->\n`;
    const from = text.indexOf(start);
    const to = text.indexOf('<!-- end -->', from);
    if (from < 0 || to < 0) throw new Error(`no place for ${name}`);
    return `${text.slice(0, from)}${start}\n${part}\n${text.slice(to)}`;
  }, document);
}

async function routesTable(base: RouteBase): Promise<string> {
  const twins = await commandsByRoute();
  const rows = ROUTES.filter((route) => route.base === base).map((route) => {
    const command =
      twins
        .get(route.id)
        ?.map((name) => `\`${name}\``)
        .join(' ') ?? '';
    return [`\`${route.id}\``, route.summary, inputOf(route), codesText(route.codes), command];
  });
  return table([['route', 'what it does', 'takes', 'problems of its own', 'command'], ...rows]);
}

/** Which commands do what a route does. */
export async function commandsByRoute(): Promise<ReadonlyMap<string, readonly string[]>> {
  const commands = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => ({ name, ...(await load()) })),
  );
  const pairs = commands.flatMap(({ name, routes }) => routes.map((route) => ({ name, route: String(route) })));
  return new Map(
    [...Map.groupBy(pairs, ({ route }) => route)].map(([route, group]) => [route, group.map(({ name }) => name)]),
  );
}

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Shape } } };
}
interface Shape {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

const operations = openApiDocument('0.0.0').paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>;

function inputOf(route: Route): string {
  const { method, address } = placeOf(route);
  const operation = operations[address]?.[method];
  const query =
    operation?.parameters
      .filter((one) => one.in === 'query')
      .map(({ name, required }) => `${name}${required ? '' : '?'}`) ?? [];
  const { properties = {}, required = [] } = operation?.requestBody?.content['application/json'].schema ?? {};
  const members = Object.keys(properties).map((name) => `${name}${required.includes(name) ? '' : '?'}`);
  return [
    ...(query.length > 0 ? [`\`?${query.join('&')}\``] : []),
    ...(members.length > 0 ? [`\`{${members.join(', ')}}\``] : []),
  ].join(' ');
}

const codesText = (codes: readonly string[]): string => codes.map((code) => `\`${code}\``).join(' ');

async function commandsText(): Promise<string> {
  const parts = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => {
      const { summary, args, flags, examples, routes } = await load();
      const usage = [
        'devloop',
        name,
        ...Object.entries(args).map(([arg, { optional }]) => (optional ? `[${arg}]` : `<${arg}>`)),
      ].join(' ');
      const inputs = [
        ...Object.entries(args).map(([arg, { description }]) => `- \`${arg}\`: ${description}`),
        ...Object.values(flags).map(({ syntax, description }) => `- \`${syntax}\`: ${description}`),
      ];
      const calls =
        routes.length === 0
          ? ''
          : `\nDoes what ${routes.map((route) => `\`${route}\``).join(', ')} do${routes.length === 1 ? 'es' : ''}.\n`;
      const lines = examples.map(({ command, what }) => `${command}    # ${what}`);
      return `### ${usage}\n\n${summary}.\n${inputs.length === 0 ? '' : `\n${inputs.join('\n')}\n`}${calls}\n\`\`\`sh\n${lines.join('\n')}\n\`\`\`\n`;
    }),
  );
  return parts.join('\n');
}

function commonFlagsTable(): string {
  return table([
    ['flag', 'what it does'],
    ...COMMON_FLAGS.map(([syntax, description]) => [`\`${new Option(syntax).flags}\``, description]),
  ]);
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return `${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}`;
}
