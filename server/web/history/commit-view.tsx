import type { Query } from '../api/call.ts';
import { projectApi } from '../api/project-api.ts';
import type { Project } from '../api/types.ts';
import { t } from '../i18n/t.ts';
import { Detail } from '../shell/detail.tsx';
import { LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';
import { visibleLine } from '../shell/visible.ts';
import { ChangedFiles } from './changed-files.tsx';
import { CommitActions } from './commit-actions.tsx';
import { CommitFacts } from './commit-facts.tsx';

export interface CommitViewProps {
  readonly project: Project;
  readonly rev: string;
  /** Of the list beside it: it stays when this is closed. */
  readonly query: Query;
  readonly reload: () => void;
}

/** One commit: who made it in which run, the files it changed, and what can be done with it. */
export function CommitView({ project, rev, query, reload }: CommitViewProps) {
  const { pid, head } = project;
  const { value, problem, reload: again } = useLoad(() => projectApi.commit(pid, rev), `${pid} ${rev}`, head);
  const renew = () => {
    again();
    reload();
  };
  return (
    <Detail label={t('commit.label')} id={rev}>
      <div class="head">
        <h2>
          {value === undefined ? <span class="mono">{visibleLine(rev.slice(0, 7))}</span> : visibleLine(value.subject)}
        </h2>
        <a class="button" href={linkTo(['p', pid, 'history'], query)}>
          {t('do.close')}
        </a>
      </div>
      {problem !== undefined && <ProblemNote problem={problem} />}
      {value === undefined && problem === undefined && <LoadingNote />}
      {value !== undefined && <CommitFacts pid={pid} commit={value} />}
      {value !== undefined && <CommitActions project={project} commit={value} reload={renew} />}
      {value !== undefined && <ChangedFiles pid={pid} commit={value} />}
    </Detail>
  );
}
