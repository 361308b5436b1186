import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readScript, type Script } from '../../scripts/demo-recordings/script.ts';
import { startScriptServer } from '../../scripts/demo-recordings/script-server.ts';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import type { ProjectId } from '../../server/domain/ids.ts';
import { DEVLOOP } from '../../server/domain/roles.ts';
import { ROOT } from '../support/running-server.ts';
import type { PageUnderTest } from './page-under-test.ts';

/** Markup, script, and as escapes of JSON and JavaScript a code of terminals and one that turns the direction of writing. */
const EVIL =
  '<img src=x onerror=alert(1)><svg onload=alert(2)><script>alert(3)</script>javascript:alert(4)\\u001b[2J\\u202e';
/** The same as characters. */
const RAW = EVIL.replace('\\u001b', '\x1b').replace('\\u202e', '\u202e');

/** What the team of the script says of units, tests, requirements and repairs. */
const WORDS = [
  'Holds the number',
  'Speaks HTTP',
  'one counter over HTTP',
  'counter and an HTTP face',
  'a number that counts up and down',
  'counting down stops at zero',
  'never goes below zero',
  'counting, the lower bound, starting over',
];

/** A shipped project whose every string that somebody may choose is an attack on who reads it. */
export async function evilProject({ app }: PageUnderTest): Promise<ProjectId> {
  const script = await readScript(join(ROOT, 'templates/demo/phase0/script/calls.mjs'));
  const model = await startScriptServer(attacking(script));
  try {
    const { pid } = await app.loop.create({
      requirement: `${script.requirement} ${RAW}`,
      name: RAW,
      team: { default: { driver: 'model', base_url: model.base_url, model: 'script' } },
    });
    await app.loop.run(pid);
    const { status, path, detail } = await app.loop.settled(pid);
    if (status !== 'shipped') throw new Error(`the evil project ended as ${status}: ${detail}`);
    const folder = join(path, 'prd', '<img src=x onerror=alert(5)>');
    mkdirSync(folder);
    for (const name of ['\x1b[31mred\u202e.md', '"><script>alert(6)<\x7f.html', ' & "quoted".js'])
      writeFileSync(join(folder, name), `${RAW}\n`.repeat(20));
    await app.vault.commit(pid, {
      kind: 'wip',
      subject: RAW,
      author: DEVLOOP,
      trailers: [],
      files: [bytePathFromText('prd/**')],
      key: 'evil',
      onEmpty: 'throw',
    });
    return pid;
  } finally {
    model.close();
  }
}

function attacking(script: Script): Script {
  const text = WORDS.reduce(
    (all, word) => all.replaceAll(word, `${word} ${JSON.stringify(EVIL).slice(1, -1)}`),
    JSON.stringify(script.calls),
  );
  return { ...script, calls: JSON.parse(text) as Script['calls'] };
}
