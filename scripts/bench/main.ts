/** `npm run bench -- vault|http|agents|compare|workspace` measures parts of the house beside what others do for the same, in one run; exit 1 where a target is missed. */
import { benchAgents } from './agents.ts';
import { benchCompare } from './compare.ts';
import { benchHttp } from './http.ts';
import { isMissed, printRows, type Row } from './rows.ts';
import { benchVault } from './vault.ts';
import { SIZES } from './workspace/generate-workspace.ts';
import { benchSize, benchWorkspace } from './workspace.ts';

const BENCHES: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  vault: benchVault,
  http: benchHttp,
  agents: benchAgents,
  compare: benchCompare,
  workspace: benchWorkspace,
  'workspace-S': () => benchSize(SIZES.S),
  'workspace-M': () => benchSize(SIZES.M),
  'workspace-L': () => benchSize(SIZES.L),
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => BENCHES[name] === undefined);
if (names.length === 0 || unknown.length > 0) {
  process.stderr.write(`usage: npm run bench -- ${Object.keys(BENCHES).join('|')}\n`);
  process.exit(2);
}
let missed = false;
for (const name of names) {
  const rows = (await BENCHES[name]?.()) ?? [];
  printRows(name, rows);
  missed ||= rows.some(isMissed);
}
process.exit(missed ? 1 : 0);
