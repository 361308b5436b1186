// Appends to the ledgers of a data folder (first argument) without an end, printing each journal position when it is acknowledged.
import { entry, eventLedgers, output } from '../support/event-ledgers.ts';
import { PROJECT } from '../support/project-folders.ts';

const { ledgers } = eventLedgers(process.argv[2] ?? '');
for (let position = (await ledgers.position(PROJECT)) + 1; ; position++) {
  ledgers.publish(PROJECT, output(`before ${position}`));
  await ledgers.append(PROJECT, position, {
    ...entry(`${position} first`, `${position} second`),
    changelog: [{ kind: 'units', rev: position, summary: 'x' }],
  });
  process.stdout.write(`${position}\n`);
}
