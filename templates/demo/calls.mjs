// Calls that every script of an embedded recording has.
import { act, finish, read, write } from './turns.mjs';

export function writePrd({ text, json }, change_summary) {
  const { acceptance } = json('prd/acceptance.json');
  return {
    role: 'pm',
    turns: [
      act(
        'I write down what the service does and does not do, and one entry for each thing that can be checked.',
        write('prd/prd.md', text('prd/prd.md')),
        write('prd/acceptance.json', text('prd/acceptance.json')),
      ),
      finish('The PRD is written.', { ok: true, prd_rev: 1, change_summary, acceptance }),
    ],
  };
}

export function design({ text, json }, { say, change_summary }) {
  const { units } = json('units.json');
  return {
    role: 'architect',
    turns: [
      act('First the PRD.', read('prd/prd.md'), read('prd/acceptance.json')),
      act(
        say,
        write('sdd/index.html', text('sdd/index.html')),
        ...units.map(({ id }) => write(`sdd/mvcp/${id}.html`, text(`sdd/${id}.html`))),
        write('units.json', text('units.json')),
        ...units.map(({ id }) => write(`units/${id}/contract.json`, text(`${id}/contract.json`))),
        write('integration/spec.json', text('spec.json')),
      ),
      finish('The design is complete; every acceptance entry is covered by a contract or a case.', {
        ok: true,
        sdd_rev: 1,
        units,
        units_count: units.length,
        change_summary,
      }),
    ],
  };
}

/** The first attempt of a unit: code, then tests. */
export function makeUnit(unit, { files: { text }, code, summary, tests, covered }) {
  return [
    {
      role: 'coder',
      unit,
      turns: [
        act('The contract says what is wanted.', read(`units/${unit}/contract.json`), read(`sdd/mvcp/${unit}.html`)),
        act('I write it.', ...code.map((name) => write(`units/${unit}/code/${name}`, text(`${unit}/${name}`)))),
        finish('Done.', { ok: true, unit_id: unit, attempt: 1, summary }),
      ],
    },
    testUnit(unit, { text, attempt: 1, say: 'One test for each promise of the contract.', tests, covered }),
  ];
}

/** A tester's call that writes the unit's test file. */
export function testUnit(unit, { text, file = `${unit}/${unit}.test.mjs`, round = 1, attempt, say, tests, covered }) {
  return {
    role: 'tester',
    unit,
    round,
    attempt,
    turns: [
      act('First the contract.', read(`units/${unit}/contract.json`)),
      act(say, write(`units/${unit}/tests/${unit}.test.mjs`, text(file))),
      finish('The tests are written.', { ok: true, unit_id: unit, attempt, tests, summary: covered }),
    ],
  };
}
