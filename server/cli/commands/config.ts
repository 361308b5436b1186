import type { ShownSetting } from '../../config/index.ts';
import { DevLoopError } from '../../domain/errors.ts';
import { defineCommand } from '../command.ts';
import { flag } from '../flags.ts';
import { table } from '../table.ts';

export const config = defineCommand({
  summary: 'Show the settings that hold in this folder',
  args: { action: { description: '`show`' } },
  flags: { origin: flag.on('--origin', 'say where each value comes from') },
  routes: [],
  examples: [{ command: 'devloop config show --origin', what: 'flag, variable, file or default' }],
  run: async ({ action, origin }, { config: load }) => {
    if (action !== 'show')
      throw new DevLoopError('bad_request', `There is no \`devloop config ${action}\`.`, {
        hint: 'devloop config show',
      });
    const { shownConfig } = await import('../../config/index.ts');
    const items = shownConfig(await load());
    return { items: origin ? items : items.map(({ name, value }) => ({ name, value })) };
  },
  print: ({ items }) =>
    table(
      items.map((item) => [item.name, valueText(item.value), ...('origin' in item ? [originText(item.origin)] : [])]),
    ),
});

const valueText = (value: unknown): string =>
  value === undefined ? '-' : typeof value === 'string' ? value : JSON.stringify(value);
const originText = ({ source, where }: ShownSetting['origin']): string => where ?? source;
