import { useState } from 'preact/hooks';
import { projectApi } from '../api/project-api.ts';
import type { CommitDetail } from '../api/types.ts';
import { DiffView } from '../diff/diff-view.tsx';
import { t } from '../i18n/t.ts';
import { AskDialog } from '../shell/ask-dialog.tsx';
import { short } from '../shell/format.ts';
import { LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';
import { takenBack } from './taken-back.ts';

export interface RevertDialogProps {
  readonly pid: string;
  readonly commit: CommitDetail;
  readonly parent: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Shows what taking a commit back would do to the files as they are now, and does just that if a person says so. */
export function RevertDialog({ pid, commit: { sha }, parent, onDone, onClose }: RevertDialogProps) {
  const [same, setSame] = useState(false);
  const { value, problem } = useLoad(async () => {
    const [seen, diff] = await Promise.all([projectApi.status(pid), projectApi.diff(pid, { from: parent, to: sha })]);
    return { seen, ...takenBack(diff) };
  }, `${pid} ${sha} revert`);
  return (
    <AskDialog
      title={t('commit.revert')}
      text={t('commit.revert_about', { sha: short(sha) })}
      confirm={t('commit.revert')}
      ready={value !== undefined}
      wide
      danger
      onConfirm={async () => {
        const { kind, sha: made } = await projectApi.revert(pid, sha, value?.seen.snapshot ?? '');
        onDone();
        setSame(kind === 'already_reverted');
        if (made !== undefined) location.hash = linkTo(['p', pid, 'history', made]);
        return kind === 'reverted';
      }}
      onClose={onClose}
    >
      {problem !== undefined && <ProblemNote problem={problem} />}
      {value === undefined && problem === undefined && <LoadingNote />}
      {value !== undefined && (
        <DiffView patch="" documents={value.documents} files={value.files} layout="unified" reverse />
      )}
      {same && (
        <p role="status" class="note">
          {t('commit.revert_same')}
        </p>
      )}
    </AskDialog>
  );
}
