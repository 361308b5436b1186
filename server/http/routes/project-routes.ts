import * as control from './control.ts';
import * as projects from './projects.ts';
import * as recovery from './recovery.ts';
import { repositoryRoutes } from './repository-routes.ts';
import * as streams from './streams.ts';
import * as trace from './trace.ts';
import * as units from './units.ts';

/** The routes about projects, by the names of their constants. */
export const projectRoutes = {
  ...projects,
  ...control,
  ...units,
  ...repositoryRoutes,
  ...recovery,
  ...streams,
  ...trace,
};
