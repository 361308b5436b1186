import type { Place } from '../shell/route.ts';
import { WorkspaceList } from './workspace-list.tsx';
import { WorkspacePage } from './workspace-page.tsx';

/** The folders whose versions are kept; one of them where the address names it. */
export function WorkspacesPage({ place }: { readonly place: Place }) {
  const [, ws] = place.parts;
  return ws === undefined ? <WorkspaceList /> : <WorkspacePage key={ws} ws={ws} place={place} />;
}
