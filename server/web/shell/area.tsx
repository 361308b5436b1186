import { t } from '../i18n/t.ts';
import { ProjectPage } from '../project/project-page.tsx';
import { NewProject } from '../projects/new-project.tsx';
import { ProjectsPage } from '../projects/projects-page.tsx';
import { WorkspacesPage } from '../workspaces/workspaces-page.tsx';
import { Nowhere } from './nowhere.tsx';
import type { Place } from './route.ts';

/** What an address names. */
export function Area({ place }: { readonly place: Place }) {
  const [area, id] = place.parts;
  if (area === undefined) return <ProjectsPage query={place.query} />;
  if (area === 'new') return <NewProject />;
  if (area === 'p' && id !== undefined) return <ProjectPage key={id} pid={id} place={place} />;
  if (area === 'w') return <WorkspacesPage place={place} />;
  return (
    <>
      <h1>{t('nav.nothing')}</h1>
      <Nowhere />
    </>
  );
}
