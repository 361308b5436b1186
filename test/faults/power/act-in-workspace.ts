/**
 * Child of a session: `act-in-workspace.ts WHO FOLDER SEED COUNT` works on a user's folder and restores it. It says what each act may
 * change before it does, and goes on when it was heard.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Acknowledged, FileChange } from './acknowledged.ts';
import { randomly } from './randomly.ts';
import { contentAt, openLab, userRoot } from './workspace-lab.ts';

const [, folder = '', seed = '', count = ''] = process.argv.slice(2);
const random = randomly(Number(seed));
const root = userRoot(folder);

function say(acknowledged: Acknowledged): void {
  writeSync(1, `${JSON.stringify(acknowledged)}\n`);
  readSync(0, Buffer.alloc(1));
}

/** Some of a person's work is on the disk when it is done, most is not. */
function change(number: number): void {
  const paths = new Set(Array.from({ length: 1 + random.below(4) }, () => `d${random.below(3)}/f${random.below(8)}`));
  const files = [...paths].map((path): FileChange => {
    const after = random.below(5) === 0 ? undefined : `${number} ${path} ${'x'.repeat(random.below(9000))}\n`;
    return { path, before: contentAt(folder, path), after };
  });
  say({ kind: 'will', by: 'person', files });
  for (const { path, after } of files) write(path, after, random.below(2) === 0);
  const isDurable = random.below(2) === 0;
  if (isDurable) for (const { path } of files) for (const one of [path, dirname(path), '.']) syncAt(join(root, one));
  say({ kind: 'did', by: 'person', isDurable });
}

/** In place, or by a new file as editors do. */
function write(path: string, content: string | undefined, inPlace: boolean): void {
  const at = join(root, path);
  if (content === undefined || !inPlace) rmSync(at, { force: true });
  if (content === undefined) return;
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(at, content);
}

function syncAt(path: string): void {
  try {
    const fd = openSync(path, 'r');
    fsyncSync(fd);
    closeSync(fd);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

type Contents = ReadonlyMap<string, string | undefined>;

for (const path of [root, join(folder, 'home')]) mkdirSync(path, { recursive: true });
const workspace = openLab(folder);
/** All that the folder can have, at each point. */
const saved = new Map<string, Contents>();
const NAMES = [0, 1, 2].flatMap((d) => [0, 1, 2, 3, 4, 5, 6, 7].map((f) => `d${d}/f${f}`));
const contents = (): Contents => new Map(NAMES.map((path) => [path, contentAt(folder, path)]));

async function point(): Promise<void> {
  const now = contents();
  saved.set((await workspace.takePoint({ reason: 'x' })).id, now);
}

async function restore(): Promise<void> {
  const [id = '', target] = [...saved][random.below(saved.size)] ?? [];
  const plan = await workspace.planRestore({ point: id });
  const files = plan.rows.map(({ path }) => ({ path, before: contentAt(folder, path), after: target?.get(path) }));
  if (files.length === 0) return;
  const now = contents();
  say({ kind: 'will', by: 'restore', files });
  const { pre } = await workspace.applyRestore(plan.id, plan.digest);
  say({ kind: 'did', by: 'restore', isDurable: true });
  saved.set(pre ?? '', now);
}

change(0);
await point();
for (let number = 1; number <= Number(count); number++) {
  change(number);
  if (random.below(3) === 0) await point();
  if (random.below(2) === 0) await restore();
}
await workspace.close();
