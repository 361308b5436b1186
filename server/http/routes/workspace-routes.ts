import * as checkpoints from './checkpoints.ts';
import * as histories from './histories.ts';
import * as objects from './objects.ts';
import * as restores from './restores.ts';
import * as turns from './turns.ts';
import * as workspaces from './workspaces.ts';

/** The routes about workspaces, by the names of their constants. */
export const workspaceRoutes = { ...workspaces, ...checkpoints, ...turns, ...restores, ...objects, ...histories };
