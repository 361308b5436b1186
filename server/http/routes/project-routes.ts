import * as changes from './changes.ts';
import * as control from './control.ts';
import * as files from './files.ts';
import * as findings from './findings.ts';
import * as history from './history.ts';
import * as projects from './projects.ts';
import * as recovery from './recovery.ts';
import * as streams from './streams.ts';
import * as trace from './trace.ts';
import * as units from './units.ts';

/** The routes about projects, by the names of their constants. */
export const projectRoutes = {
  ...projects,
  ...control,
  ...units,
  ...history,
  ...files,
  ...findings,
  ...changes,
  ...recovery,
  ...streams,
  ...trace,
};
