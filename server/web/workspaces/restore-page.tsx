import { useState } from 'preact/hooks';
import type { RestorePlan, RestoreReport } from '../api/types.ts';
import { workspaceApi } from '../api/workspace-api.ts';
import { t } from '../i18n/t.ts';
import { EmptyNote, LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { useAction } from '../shell/use-action.ts';
import { useLoad } from '../shell/use-load.ts';
import type { FolderView } from './folder-view.ts';
import { PlanView } from './plan-view.tsx';
import { ReportView } from './report-view.tsx';
import { wishOf } from './restore-wish.ts';
import { WishForm } from './wish-form.tsx';

/** A restore: first its plan, which writes nothing; then, if a person says so, just that plan. */
export function RestorePage({ workspace: { id: ws }, query }: FolderView) {
  const { target, path } = query;
  const [report, setReport] = useState<RestoreReport>();
  const ready = target !== 'new' || path !== undefined;
  const {
    value: plan,
    problem,
    loading,
    reload,
  } = useLoad(async () => (ready ? workspaceApi.plan(ws, wishOf(query)) : undefined), `${ws} ${JSON.stringify(query)}`);
  const {
    run,
    busy,
    problem: refused,
  } = useAction(async (chosen: RestorePlan) => {
    setReport(await workspaceApi.apply(ws, chosen.id, chosen.digest));
  });
  const undo = useAction(async (done: RestoreReport) => {
    setReport(await workspaceApi.undo(ws, done.id));
  });
  if (report !== undefined) {
    return (
      <ReportView report={report} ws={ws} busy={undo.busy} problem={undo.problem} onUndo={() => undo.run(report)} />
    );
  }
  return (
    <section>
      <h2>{t('restore.title')}</h2>
      <WishForm key={JSON.stringify(query)} ws={ws} query={query} />
      {problem?.code === 'nothing_to_restore' && (
        <EmptyNote title={t(query.checkpoint === undefined ? 'restore.turns_none' : 'restore.nothing')} />
      )}
      {problem !== undefined && problem.code !== 'nothing_to_restore' && (
        <ProblemNote problem={problem} onRetry={reload} />
      )}
      {ready && loading && <LoadingNote />}
      {refused !== undefined && <ProblemNote problem={refused} onRetry={reload} />}
      {plan !== undefined && !loading && (
        <PlanView plan={plan} ws={ws} query={query} busy={busy} onApply={() => run(plan)} />
      )}
    </section>
  );
}
