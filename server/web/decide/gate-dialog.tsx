import { projectApi } from '../api/project-api.ts';
import type { Gate } from '../api/types.ts';
import { t } from '../i18n/t.ts';
import { AskDialog } from '../shell/ask-dialog.tsx';

/** What a person is about to say to which revision. */
export interface GateAnswer {
  readonly answer: 'approve' | 'reject';
  readonly gate: Gate;
  readonly revision: number;
}

export interface GateDialogProps {
  readonly pid: string;
  readonly asked: GateAnswer;
  /** False when somebody else has answered meanwhile: then nothing is sent, and what was written stays to be read. */
  readonly waits: boolean;
  readonly reload: () => void;
  readonly onClose: () => void;
}

/** Asks for the note that goes with an answer at a gate; the answer is for just the revision that was shown. */
export const GateDialog = ({ pid, asked: { answer, gate, revision }, waits, reload, onClose }: GateDialogProps) => (
  <AskDialog
    title={t('gate.answer', { answer: t(`gate.${answer}`), gate: gate.toUpperCase(), rev: revision })}
    label={t('gate.note')}
    confirm={t(`gate.${answer}`)}
    optional={answer === 'approve'}
    danger={answer === 'reject'}
    ready={waits}
    onConfirm={async (note) => {
      await projectApi.command(pid, answer, { gate, revision, ...(note === '' ? {} : { note }) });
      reload();
    }}
    onClose={onClose}
  >
    {!waits && (
      <p class="note note-bad" role="alert">
        {t('gate.answered')}
      </p>
    )}
  </AskDialog>
);
