// The decisions of the demo, written by hand: `node scripts/make-demo-recordings.ts` runs the loop on them and records it.
import { design, makeUnit, testUnit, writePrd } from '../../calls.mjs';
import { act, edit, filesOf, finish, read, RUN, write } from '../../turns.mjs';

const files = filesOf(import.meta.url);
const { text } = files;

export const requirement =
  'A to-do list service: add, list, complete and delete to-dos over HTTP, with a summary of what is open.';
export const date = '2026-11-30';

const STORE_TESTS = [
  'store > adds open to-dos and keeps their order',
  'store > refuses a title that is empty or missing',
  'store > never gives an id twice, also after a removal',
  'store > marks a to-do done and open again, and lists each kind',
  'store > says what it does not know',
  'store > hands out copies',
];

/** The store, whose first attempt gives an id twice, and its repair. */
const store = [
  ...makeUnit('store', {
    files,
    code: ['store.mjs'],
    summary: 'a store in memory; ids count the to-dos',
    tests: STORE_TESTS,
    covered: 'order, titles, ids after a removal, done and open, unknown ids, copies',
  }),
  {
    role: 'coder',
    unit: 'store',
    attempt: 2,
    turns: [
      act(
        'The id is taken from the number of to-dos, so a removal makes the next one repeat the last. A counter of its own never goes back.',
        edit('units/store/code/store.mjs', '  const items = [];\n', '  const items = [];\n  let nextId = 1;\n'),
        edit('units/store/code/store.mjs', 'id: items.length + 1,', 'id: nextId++,'),
      ),
      finish('Mended.', { ok: true, unit_id: 'store', attempt: 2, summary: 'ids come from a counter that never goes back' }),
    ],
  },
  testUnit('store', {
    text,
    attempt: 2,
    say: 'The contract is the same; I write the tests as they were.',
    tests: STORE_TESTS,
    covered: 'unchanged: the red test shows the fault',
  }),
];

const API_TESTS = [
  'api > adds a to-do and lists it',
  'api > refuses a to-do without a title',
  'api > lists only what is done',
  'api > marks a to-do open again',
  'api > deletes, and answers 404 for what is not there',
  'api > sums up',
  'api > tells that it is ready, and that it knows no other path',
];

const repair = [
  {
    role: 'integrator',
    turns: [
      finish('One case fails: the list of what is open shows what is done. All others pass.', {
        ok: false,
        run_id: RUN,
        cases_passed: 4,
        cases_total: 5,
      }),
    ],
  },
  {
    role: 'bug-triager',
    turns: [
      act(
        'The case asks for done=false and gets a finished to-do. I look at how the request is read.',
        read('units/api/contract.json'),
        read('units/api/code/api.mjs'),
      ),
      act(
        'Boolean("false") is true: any value of the parameter counts as done=true. The contract promises both; the unit tests try only done=true.',
        write(
          `integration/runs/${RUN}/triage.json`,
          `${JSON.stringify(triage(), null, 2)}\n`,
        ),
      ),
      finish('The fault is in the api unit.', triage()),
    ],
  },
  {
    role: 'coder',
    unit: 'api',
    round: 2,
    turns: [
      act(
        'The parameter is text, so it has to be compared as text.',
        edit('units/api/code/api.mjs', 'Boolean(wanted) });', "wanted === 'true' });"),
      ),
      finish('Mended.', { ok: true, unit_id: 'api', attempt: 1, summary: 'done=false lists what is open' }),
    ],
  },
  testUnit('api', {
    text,
    file: 'api/api.test.2.mjs',
    round: 2,
    attempt: 1,
    say: 'The tests let this through: done=false was never asked for. I add it.',
    tests: [...API_TESTS, 'api > lists only what is open'],
    covered: 'also the list of what is open',
  }),
  {
    role: 'integrator',
    round: 2,
    turns: [finish('All cases pass.', { ok: true, run_id: RUN, cases_passed: 5, cases_total: 5 })],
  },
];

function triage() {
  return {
    run_id: RUN,
    category: 'code',
    confidence: 0.95,
    blamed_units: ['api'],
    reason:
      'units/api/code/api.mjs reads the parameter done with Boolean(), so done=false counts as true: GET /todos?done=false lists what is done instead of what is open.',
  };
}

export const calls = [
  writePrd(files, 'a shared to-do list over HTTP'),
  design(files, {
    say: 'Three units: one keeps the to-dos, one counts them, one speaks HTTP. I write the design, a page and a contract for each, and the cases that all three must pass together.',
    change_summary: 'store, summary and an HTTP face',
  }),
  ...store,
  ...makeUnit('summary', {
    files,
    code: ['summary.mjs'],
    summary: 'counts and one line of words',
    tests: ['summary > says that there is nothing to do', 'summary > counts what the store keeps'],
    covered: 'the empty list and a mixed one',
  }),
  ...makeUnit('api', {
    files,
    code: ['api.mjs', 'server.mjs'],
    summary: 'routes over the store and the summary',
    tests: API_TESTS,
    covered: 'each route, refusals, unknown ids',
  }),
  ...repair,
];
