import type { ProjectSummary } from '../api/types.ts';
import { t, tOf } from '../i18n/t.ts';
import { Badge } from '../shell/badge.tsx';
import { Moment } from '../shell/moment.tsx';
import { linkTo } from '../shell/route.ts';
import { visibleLine } from '../shell/visible.ts';

/** Projects, a line each. */
export const ProjectTable = ({ projects }: { readonly projects: readonly ProjectSummary[] }) => (
  <table class="rows">
    <thead>
      <tr>
        <th scope="col">{t('projects.project')}</th>
        <th scope="col">{t('projects.status')}</th>
        <th scope="col">{t('projects.revisions')}</th>
        <th scope="col">{t('projects.updated')}</th>
      </tr>
    </thead>
    <tbody>
      {projects.map((project) => (
        <tr key={project.pid} data-pid={project.pid}>
          <td class="wide">
            <a class="title" href={linkTo(['p', project.pid])}>
              {visibleLine(project.name ?? project.requirement).slice(0, 160)}
            </a>
            <span class="quiet mono">
              {project.cid}/{project.pid}
            </span>
          </td>
          <td>
            <Badge state={project.status} />
            {project.status === 'blocked' && project.reason !== undefined && (
              <span class="quiet"> {tOf('reason', project.reason)}</span>
            )}
          </td>
          <td class="mono">
            PRD {project.revisions.prd} · SDD {project.revisions.sdd}
          </td>
          <td>
            <Moment ts={project.updated_at} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
