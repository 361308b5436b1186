// Appends to the ledgers and the journal of a data folder (first argument), up to a number of times (second), printing each journal position when it is acknowledged. What is refused is tried again.
import { FileJournal } from '../../server/events/index.ts';
import { entry, eventLedgers, output, projectAt } from '../support/event-ledgers.ts';
import { PROJECT } from '../support/project-folders.ts';

const [data = '', times = 'Infinity'] = process.argv.slice(2);
const journal = new FileJournal(async (pid) => projectAt(data, pid));
const { ledgers } = eventLedgers(data);

for (let done = 0; done < Number(times); done++) {
  const position = (await again(() => ledgers.position(PROJECT))) + 1;
  const told = (await again(() => journal.load(PROJECT))).length;
  if (told < position) await again(() => journal.append(PROJECT, { position }));
  ledgers.publish(PROJECT, output(`before ${position}`));
  await again(() =>
    ledgers.append(PROJECT, position, {
      ...entry(`${position} first`, `${position} second`),
      changelog: [{ kind: 'units', rev: position, summary: 'x' }],
    }),
  );
  process.stdout.write(`${position}\n`);
}
await ledgers.closeAll();

async function again<Result>(action: () => Promise<Result>): Promise<Result> {
  for (let left = 3; ; left--) {
    try {
      return await action();
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}
