/** Child of a session: `act-on-disk.ts WHO FOLDER SEED COUNT` works on a project in the folder, and says each result once it is acknowledged. */
import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseUnitId } from '../../../server/domain/ids.ts';
import { DEVLOOP } from '../../../server/domain/roles.ts';
import { openAppendLog } from '../../../server/io/append-log.ts';
import { commit } from '../../../server/vault/commit.ts';
import { init } from '../../../server/vault/init.ts';
import { resetWorkingTree } from '../../../server/vault/reset-working-tree.ts';
import { saveAttempt } from '../../../server/vault/save-attempt.ts';
import { tag } from '../../../server/vault/tag.ts';
import { PROJECT } from '../../support/project-folders.ts';
import { commitSpec } from '../../support/project-vault.ts';
import { rawGit } from '../../support/raw-git.ts';
import type { Acknowledged } from './acknowledged.ts';
import { logIn, placeIn, vaultsIn } from './power-place.ts';
import { randomly } from './randomly.ts';

const [who = '', folder = '', seed = '', count = ''] = process.argv.slice(2);
const random = randomly(Number(seed));
const place = placeIn(folder);
const vaults = vaultsIn(folder);
const UNIT = parseUnitId('u');
let [attempts, lines] = [0, 0];

function say(acknowledged: Acknowledged): void {
  writeSync(1, `${JSON.stringify(acknowledged)}\n`);
}

function change(number: number): void {
  for (let i = 0; i <= random.below(6); i++) {
    const path = join(place.root, `d${random.below(4)}`, `f${random.below(20)}`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${number} ${i} ${'x'.repeat(random.below(9000))}\n`);
  }
}

/** Makes the file system write out what it pleases. */
function syncSomethingElse(): void {
  const fd = openSync(join(folder, 'unrelated'), 'w');
  writeSync(fd, 'x'.repeat(random.below(5000)));
  fsyncSync(fd);
  closeSync(fd);
}

const acts: readonly ((number: number) => Promise<Acknowledged>)[] = [
  async (number) => {
    change(number);
    const made = await vaults.write(PROJECT, (vault) => commit(vault, commitSpec({ onEmpty: 'allow' })));
    if (made.kind !== 'committed') throw new Error('nothing was committed');
    return { kind: 'commit', oid: made.sha };
  },
  async (number) => {
    change(number);
    const spec = commitSpec({ onEmpty: 'allow', tag: { name: `t-${number}`, message: 'm' } });
    const made = await vaults.write(PROJECT, (vault) => commit(vault, spec));
    if (made.kind !== 'committed') throw new Error('nothing was committed');
    return { kind: 'commit', oid: made.sha, tag: `t-${number}` };
  },
  async (number) => {
    change(number);
    const about = { unit: UNIT, round: 1, attempt: ++attempts, verdict: 'red' } as const;
    const made = await vaults.write(PROJECT, (vault) => saveAttempt(vault, { ...commitSpec(), ...about }));
    return { kind: 'ref', ref: `refs/devloop/attempts/u/1/${attempts}`, oid: made.sha };
  },
  async (number) => {
    change(number);
    const { rescue } = await vaults.write(PROJECT, (vault) => resetWorkingTree(vault, { ref: 'HEAD', reason: 'x' }));
    return rescue === undefined ? { kind: 'nothing' } : { kind: 'rescue', id: rescue };
  },
  async (number) => {
    const { sha } = await vaults.write(PROJECT, (vault) => tag(vault, { name: `v-${number}`, ref: 'main' }));
    return { kind: 'ref', ref: `refs/tags/v-${number}`, oid: sha };
  },
  async () => {
    const { log } = openAppendLog(logIn(folder));
    log.append([{ n: ++lines }]);
    await log.sync();
    return { kind: 'lines', count: lines };
  },
];

/** The same work as a person's git does it: it waits for no disk. */
async function commitByGit(number: number): Promise<Acknowledged> {
  change(number);
  const git = rawGit(place.root);
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', `${number}`);
  return { kind: 'commit', oid: git('rev-parse', 'HEAD') };
}

mkdirSync(place.root, { recursive: true });
writeFileSync(join(place.root, 'project.json'), '{}\n');
if (who === 'git') rawGit(place.root)('init', '-q', '-b', 'main');
else await vaults.write(PROJECT, (vault) => init(vault, commitSpec({ author: DEVLOOP })));
for (let number = 0; number < Number(count); number++) {
  const act = who === 'git' ? commitByGit : acts[random.below(acts.length)];
  const acknowledged = await act?.(number);
  if (acknowledged !== undefined) say(acknowledged);
  if (random.below(2) === 0) syncSomethingElse();
}
vaults.close();
