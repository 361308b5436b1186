import { workspaceApi } from '../api/workspace-api.ts';
import { t } from '../i18n/t.ts';
import { bytes } from '../shell/format.ts';
import { format, Moment } from '../shell/moment.tsx';
import { LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { useLoad } from '../shell/use-load.ts';
import { ExplainPath } from './explain-path.tsx';
import type { FolderView } from './folder-view.ts';
import { Growth } from './growth.tsx';
import { NestedList, ReasonList } from './reason-list.tsx';

/** What is protected, what is not and why, and how the store grows. */
export function ProtectionPage({ workspace: { id: ws }, query: { path, path_b64 } }: FolderView) {
  const { value, problem, reload } = useLoad(() => workspaceApi.status(ws), `${ws} status`);
  if (problem !== undefined) return <ProblemNote problem={problem} onRetry={reload} />;
  if (value === undefined) return <LoadingNote />;
  const { points, last, bytes: size, not_protected, nested, open_turns } = value;
  return (
    <section>
      <dl class="wide-facts">
        <dt>{t('protect.points')}</dt>
        <dd data-fact="points">{format.count(points)}</dd>
        <dt>{t('protect.last')}</dt>
        <dd>{last === undefined ? t('protect.never') : <Moment ts={last.ts} />}</dd>
        <dt>{t('protect.size')}</dt>
        <dd data-fact="bytes">{bytes(size)}</dd>
        <dt>{t('protect.open_turns')}</dt>
        <dd>{open_turns.length}</dd>
      </dl>
      <Growth ws={ws} />
      <ExplainPath ws={ws} named={path === undefined ? undefined : { path, path_b64 }} />
      <ReasonList title={t('protect.not')} rows={not_protected} ws={ws} />
      <NestedList rows={nested} />
    </section>
  );
}
