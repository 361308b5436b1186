import type { Route, RouteTypes } from '../route.ts';
import { projectRoutes } from './project-routes.ts';
import { workspaceRoutes } from './workspace-routes.ts';

const all = { ...projectRoutes, ...workspaceRoutes };

/** Every route of the API. */
export const ROUTES: readonly Route[] = Object.values(all);

type All = (typeof all)[keyof typeof all];
type TypesOf<R> = R extends Route<infer _Id, infer Types extends RouteTypes> ? Types : never;

/** What each route takes and gives, by its id: the types of a client. */
export type Calls = { readonly [R in All as R['id']]: TypesOf<R> };
