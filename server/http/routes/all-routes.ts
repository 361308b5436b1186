import type { Route, RouteTypes } from '../route.ts';
import * as changes from './changes.ts';
import * as control from './control.ts';
import * as files from './files.ts';
import * as history from './history.ts';
import * as projects from './projects.ts';
import * as recovery from './recovery.ts';
import * as streams from './streams.ts';
import * as units from './units.ts';

const all = { ...projects, ...control, ...units, ...history, ...files, ...changes, ...recovery, ...streams };

/** Every route below `/api/devloop`. */
export const ROUTES: readonly Route[] = Object.values(all);

type All = (typeof all)[keyof typeof all];
type TypesOf<R> = R extends Route<infer _Id, infer Types extends RouteTypes> ? Types : never;

/** What each route takes and gives, by its id: the types of a client. */
export type Calls = { readonly [R in All as R['id']]: TypesOf<R> };
