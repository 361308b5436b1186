import { defineCommand } from '../command.ts';
import { PID } from '../flags.ts';
import { table } from '../table.ts';

export const attempts = defineCommand({
  summary: 'List the red and failed attempts that are kept beside main',
  args: { pid: PID, unit: { description: 'only those of a unit', optional: true } },
  routes: ['GET /projects/:pid/units/:unit/attempts'],
  examples: [{ command: 'devloop attempts p-k3v7q2ma', what: 'each with the name that diff and show take' }],
  run: async ({ pid, unit }, { connect }) => {
    const { api } = await connect();
    const units =
      unit === undefined
        ? (await api.call('GET /projects/:pid/units', { params: { pid } })).items.map(({ id }) => id)
        : [unit];
    const lists = await Promise.all(
      units.map((one) => api.call('GET /projects/:pid/units/:unit/attempts', { params: { pid, unit: one } })),
    );
    return { items: lists.flatMap(({ items }) => items) };
  },
  print: ({ items }) =>
    table(
      items.map(({ unit, round, attempt, verdict, sha }) => [
        `attempts/${unit}/${round}/${attempt}`,
        verdict,
        sha.slice(0, 7),
      ]),
      'no red attempts\n',
    ),
});
