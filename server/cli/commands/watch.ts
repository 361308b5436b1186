import { defineCommand } from '../command.ts';
import { eventText } from '../event-text.ts';
import { flag, PID } from '../flags.ts';
import { followEvents } from '../follow-events.ts';

export const watch = defineCommand({
  summary: 'Follow the events of a project, or of all, until Ctrl-C; goes on where it was when the server comes back',
  args: { pid: { ...PID, optional: true } },
  flags: { after: flag.text('--after <id>', 'replay what came after this event first; 0 for all that is kept') },
  routes: ['GET /projects/:pid/events', 'GET /events'],
  examples: [
    { command: 'devloop watch p-k3v7q2ma --after 0', what: 'from the beginning' },
    { command: 'devloop watch --json | jq .event', what: 'all projects, one object a line' },
  ],
  run: async ({ pid, after }, { running, emit, terminal, signal }) => {
    await running();
    const options = {
      api: running,
      signal,
      ...(pid === undefined ? {} : { pid }),
      ...(after === undefined ? {} : { after }),
    };
    const onBreak = (reason: string) => terminal.note(`${reason}; trying again`);
    for await (const message of followEvents({ ...options, onBreak })) {
      const text = eventText(message, (style, part) => terminal.paint(style, part)) ?? message.event;
      await emit(message, pid === undefined ? `${message.data.pid}  ${text}` : text);
    }
  },
});
