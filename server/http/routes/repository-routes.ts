import * as changes from './changes.ts';
import * as files from './files.ts';
import * as findings from './findings.ts';
import * as history from './history.ts';
import * as remotes from './remotes.ts';

/** The routes about what a project's repository holds, and what leaves it, by the names of their constants. */
export const repositoryRoutes = { ...history, ...files, ...findings, ...changes, ...remotes };
