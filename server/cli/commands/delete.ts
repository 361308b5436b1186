import { defineCommand } from '../command.ts';
import { PID } from '../flags.ts';
import { readProject } from '../until-rest.ts';

export const deleteProject = defineCommand({
  summary: 'Delete a project with its folder and history',
  args: { pid: PID },
  routes: ['DELETE /projects/:pid'],
  examples: [{ command: 'devloop delete p-k3v7q2ma --yes', what: 'asks nothing' }],
  run: async ({ pid }, { connect, terminal, yes }) => {
    const { api } = await connect();
    const { path } = await readProject(api, pid);
    const deleted = await terminal.confirm(`Delete ${path} with its history?`, { yes });
    if (deleted) await api.call('DELETE /projects/:pid', { params: { pid } });
    return { pid, path, deleted };
  },
  print: ({ path, deleted }) => (deleted ? `deleted ${path}\n` : 'nothing was deleted\n'),
});
