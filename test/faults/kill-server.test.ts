import { before, describe, it } from 'node:test';
import { killedRun, type Undisturbed, undisturbedRun } from './kill-server.ts';

const MOMENTS = [0.05, 0.25, 0.45, 0.7, 0.9];

describe('a server that is killed in the middle of a loop', () => {
  let expected: Undisturbed;
  before(async () => {
    expected = await undisturbedRun();
  });
  for (const [i, share] of MOMENTS.entries()) {
    const action = i % 2 === 0 ? 'reset_hard' : 'commit_as_wip';
    it(`ships the same project after kill -9 at ${share} of the run and ${action}`, async () => {
      await killedRun({ after_ms: share * expected.duration_ms, action }, expected);
    });
  }
});
