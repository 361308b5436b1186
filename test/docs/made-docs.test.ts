import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { commandsByRoute, madeParts, withParts } from '../../scripts/generated-docs.ts';
import { EXIT_OF_CODE } from '../../server/cli/exit-codes.ts';
import { COMMANDS } from '../../server/cli/registry.ts';
import { ERROR_CODES } from '../../server/domain/errors.ts';
import { PROBLEM_STATUS } from '../../server/http/problem-table.ts';
import { ROUTES } from '../../server/http/routes/all-routes.ts';

/** Commands that work on this machine only, and why they have no route. */
const WITHOUT_ROUTE: Readonly<Record<string, string>> = {
  serve: 'it is the server',
  doctor: 'looks at this machine; /readyz is the part that a server can tell',
  config: 'settings of this call',
  completion: 'text for a shell',
};

describe('the two faces', () => {
  it('every route has a command that does the same', async () => {
    const twins = await commandsByRoute();
    for (const { id } of ROUTES) assert.ok((twins.get(id)?.length ?? 0) > 0, `${id} has no command`);
  });

  it('every command has a route, or a reason to have none', async () => {
    const ids = new Set<string>(ROUTES.map(({ id }) => id));
    for (const [name, load] of Object.entries(COMMANDS)) {
      const { routes } = await load();
      assert.equal(routes.length === 0, name in WITHOUT_ROUTE, name);
      for (const route of routes) assert.ok(ids.has(route), `${name}: ${route}`);
    }
  });

  it('every route has a summary, schemas and its problems', () => {
    for (const { id, summary, codes, answer, params } of ROUTES) {
      assert.match(summary, /^[A-Z][^.]*$/, id);
      assert.ok(answer.kind !== 'json' || answer.schema !== undefined, id);
      assert.ok(params !== undefined, id);
      if (id.includes(':pid')) assert.ok(codes.includes('project_not_found'), id);
      if (id.includes(':ws')) assert.ok(codes.includes('workspace_not_found'), id);
    }
  });
});

describe('documents that list things', () => {
  it('say what the registries say (node scripts/write-docs.ts writes them)', async () => {
    for (const [file, parts] of Object.entries(await madeParts())) {
      const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', file), 'utf8');
      assert.equal(text, withParts(text, parts), file);
    }
  });

  it('errors.md has each code with the statuses of the two tables', () => {
    const rows = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'errors.md'), 'utf8').split('\n');
    for (const code of ERROR_CODES) {
      const row = rows.find((line) => line.startsWith(`| \`${code}\` |`)) ?? '';
      const [, , http, exit] = row.split('|').map((cell) => cell.trim());
      assert.deepEqual([http, exit], [String(PROBLEM_STATUS[code]), String(EXIT_OF_CODE[code])], code);
    }
  });
});
