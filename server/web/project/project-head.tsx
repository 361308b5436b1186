import type { Project } from '../api/types.ts';
import { t, tOf } from '../i18n/t.ts';
import type { Link } from '../live/live-state.ts';
import { Badge } from '../shell/badge.tsx';
import { LinkPill } from '../shell/link-pill.tsx';
import { linkTo } from '../shell/route.ts';
import { visibleLine } from '../shell/visible.ts';
import { CommandBar } from './command-bar.tsx';
import { TABS } from './tabs.ts';

export interface ProjectHeadProps {
  readonly project: Project;
  readonly link: Link;
  readonly shown: string;
  readonly reload: () => void;
}

/** What a project is, how it stands, what can be done with it now, and its views. */
export function ProjectHead({ project, link, shown, reload }: ProjectHeadProps) {
  const { pid, name, requirement, status } = project;
  return (
    <>
      <p class="crumbs">
        <a href="#/">{t('nav.projects')}</a> / <span class="mono">{pid}</span>
      </p>
      <div class="head">
        <h1 title={visibleLine(requirement).slice(0, 500)}>{visibleLine(name ?? requirement).slice(0, 110)}</h1>
        <span class="states">
          <Badge state={status} />
          <LinkPill link={link} />
        </span>
      </div>
      <CommandBar project={project} reload={reload} />
      <nav class="tabs" aria-label={t('project.views')}>
        {TABS.map((tab) => (
          <a
            key={tab}
            href={linkTo(tab === 'overview' ? ['p', pid] : ['p', pid, tab])}
            aria-current={shown === tab ? 'page' : undefined}
          >
            {tOf('view', tab)}
          </a>
        ))}
      </nav>
    </>
  );
}
