import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parallelUnits } from '../../server/domain/parallel-units.ts';
import { settingsSchema } from '../../server/domain/project.ts';
import type { RoleTeam, Team } from '../../server/domain/team.ts';

const settings = settingsSchema.parse({ max_parallel_units: 4 });
const recorded: RoleTeam = { driver: 'recorded' };
const program: RoleTeam = { driver: 'acp', command: ['agent', 'acp'] };
const open: RoleTeam = { driver: 'command', command: ['agent'], sandbox: 'off' };
const units = (team: Team, sandboxed: boolean) => parallelUnits({ settings, team, sandboxed });

describe('units side by side', () => {
  it('are as many as settings allow where agents only write by tools', () => {
    assert.equal(units({ default: recorded }, false), 4);
    assert.equal(units({ default: open, roles: { coder: recorded, tester: recorded } }, false), 4);
  });

  it('are as many as settings allow where a sandbox keeps programs apart', () => {
    assert.equal(units({ default: program }, true), 4);
  });

  it('are one where a program may write anywhere', () => {
    assert.equal(units({ default: program }, false), 1);
    assert.equal(units({ default: open }, true), 1);
    assert.equal(units({ default: recorded, roles: { tester: open } }, true), 1);
  });
});
