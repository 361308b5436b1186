// A small project without an integration failure, written by hand; one red attempt is in it.
import { design, makeUnit, testUnit, writePrd } from '../../calls.mjs';
import { act, edit, filesOf, finish, RUN } from '../../turns.mjs';

const files = filesOf(import.meta.url);

export const requirement = 'A counter service over HTTP: count up and down, never below zero, and start over.';
export const date = '2026-11-30';

const COUNTER_TESTS = ['counts up and down from zero', 'never goes below zero', 'can be set back'];

export const calls = [
  writePrd(files, 'one counter over HTTP'),
  design(files, {
    say: 'Two units: the number with its rule, and an HTTP face. I write both pages, both contracts and the cases.',
    change_summary: 'counter and an HTTP face',
  }),
  ...makeUnit('counter', {
    files,
    code: ['counter.mjs'],
    summary: 'a number that counts up and down',
    tests: COUNTER_TESTS,
    covered: 'counting, the lower bound, starting over',
  }),
  {
    role: 'coder',
    unit: 'counter',
    attempt: 2,
    turns: [
      act(
        'Counting down has to stop at zero.',
        edit('units/counter/code/counter.mjs', 'down: () => --value,', 'down: () => (value = Math.max(0, value - 1)),'),
      ),
      finish('Mended.', { ok: true, unit_id: 'counter', attempt: 2, summary: 'counting down stops at zero' }),
    ],
  },
  testUnit('counter', {
    text: files.text,
    attempt: 2,
    say: 'The contract is the same; I write the tests as they were.',
    tests: COUNTER_TESTS,
    covered: 'unchanged: the red test shows the fault',
  }),
  ...makeUnit('service', {
    files,
    code: ['service.mjs', 'server.mjs'],
    summary: 'four routes over the counter',
    tests: ['counts over HTTP', 'starts over', 'knows no other path'],
    covered: 'each route, and what is none',
  }),
  {
    role: 'integrator',
    turns: [finish('All cases pass.', { ok: true, run_id: RUN, cases_passed: 2, cases_total: 2 })],
  },
];
