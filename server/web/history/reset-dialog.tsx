import { projectApi } from '../api/project-api.ts';
import { DiffView } from '../diff/diff-view.tsx';
import { t } from '../i18n/t.ts';
import { AskDialog } from '../shell/ask-dialog.tsx';
import { LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { useLoad } from '../shell/use-load.ts';

export interface ResetDialogProps {
  readonly pid: string;
  /** Names the state of the files that is shown. */
  readonly snapshot: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Shows what making the files those of HEAD would take away, and does it, for just that state, if a person says so. */
export function ResetDialog({ pid, snapshot, onDone, onClose }: ResetDialogProps) {
  const { value, problem } = useLoad(() => projectApi.uncommitted(pid), `${pid} ${snapshot}`);
  return (
    <AskDialog
      title={t('uncommitted.reset')}
      text={t('uncommitted.reset_about')}
      confirm={t('uncommitted.reset')}
      ready={value !== undefined}
      wide
      danger
      onConfirm={async () => {
        await projectApi.reset(pid, snapshot);
        onDone();
      }}
      onClose={onClose}
    >
      {problem !== undefined && <ProblemNote problem={problem} />}
      {value === undefined && problem === undefined && <LoadingNote />}
      {value !== undefined && <DiffView patch={value.patch} files={value.files} layout="unified" reverse />}
    </AskDialog>
  );
}
