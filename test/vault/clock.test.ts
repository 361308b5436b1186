import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseUnitId } from '../../server/domain/ids.ts';
import { commit } from '../../server/vault/commit.ts';
import { log } from '../../server/vault/log.ts';
import type { LockedVault } from '../../server/vault/open-vault.ts';
import { rescues } from '../../server/vault/rescues.ts';
import { resetWorkingTree } from '../../server/vault/reset-working-tree.ts';
import { restoreRescue } from '../../server/vault/restore-rescue.ts';
import { saveAttempt } from '../../server/vault/save-attempt.ts';
import { tag } from '../../server/vault/tag.ts';
import { commitSpec, projectVault } from '../support/project-vault.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.parse('2026-01-02T03:04:05Z');

/** The vault under a clock that stands some days off. */
const off = (days: number, vault: LockedVault): LockedVault =>
  Object.assign(Object.create(vault) as LockedVault, {
    settings: { ...vault.settings, now: () => new Date(NOW + days * DAY) },
  });

const jumps = fc.array(
  fc.record({
    days: fc.constantFrom(-20_000, -400, -1, 0, 0, 1, 400, 20_000),
    call: fc.constantFrom('commit', 'reset', 'attempt', 'tag', 'restart'),
  }),
  { minLength: 4, maxLength: 10 },
);

test('a clock that is set back and forward between any two calls changes the times that are shown, and nothing else', (t) =>
  fc.assert(
    fc.asyncProperty(jumps, async (steps) => {
      const project = await projectVault(t);
      const made: string[] = [];
      const kept: string[] = [];
      let attempts = 0;
      for (const [i, { days, call }] of steps.entries()) {
        const write = <Result>(work: (vault: LockedVault) => Promise<Result>) =>
          project.write((vault) => work(off(days, vault)));
        project.put('units/a/code/x', `${i}\n`);
        if (call === 'commit') {
          const outcome = await write((vault) => commit(vault, commitSpec({ subject: `commit ${i}` })));
          if (outcome.kind === 'committed') made.push(outcome.sha);
        } else if (call === 'reset') {
          const { rescue } = await write((vault) => resetWorkingTree(vault, { ref: 'HEAD', reason: 'reset' }));
          assert.ok(rescue !== undefined);
          kept.push(rescue);
        } else if (call === 'attempt') {
          const about = { unit: parseUnitId('a'), round: 1, attempt: ++attempts, verdict: 'red' } as const;
          await write((vault) => saveAttempt(vault, { ...commitSpec({ files: ['units/a/**'] }), ...about }));
        } else if (call === 'tag') await write((vault) => tag(vault, { name: `t-${i}`, ref: 'main' }));
        else project.reopen();
      }
      const { items } = await project.read((vault) => log(vault, { limit: 50 }));
      assert.deepEqual(
        items.map(({ sha }) => sha).slice(0, made.length),
        made.toReversed(),
        'the newest comes first by history, not by time',
      );
      assert.deepEqual((await project.read(rescues)).map(({ id }) => String(id)).sort(), kept.toSorted());
      const [last] = await project.read(rescues);
      if (last !== undefined) {
        await project.write((vault) => restoreRescue(vault, last.id));
        assert.equal(
          readFileSync(join(project.root, 'units/a/code/x'), 'utf8').trim(),
          project.git('show', `refs/devloop/rescue/${last.id}:units/a/code/x`),
        );
      }
      assert.deepEqual((await project.inspect()).problems, []);
      assert.equal(project.git('fsck', '--strict', '--no-dangling'), '');
    }),
    { numRuns: 12 },
  ));
