import { projectApi } from '../api/project-api.ts';
import { t, tOf } from '../i18n/t.ts';
import { AskDialog } from '../shell/ask-dialog.tsx';
import type { Asked } from './commands.ts';

const MEMBER: Readonly<Record<Asked, string>> = { feedback: 'text', 'sign-off': 'user_id', abandon: 'reason' };

export interface AskFormProps {
  readonly asked: Asked;
  readonly pid: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks for the words that go with feedback, sign-off or abandoning, and sends them. */
export const AskForm = ({ asked, pid, onDone, onClose }: AskFormProps) => (
  <AskDialog
    title={tOf('command', asked)}
    text={tOf('ask', asked)}
    label={t(asked === 'sign-off' ? 'ask.user' : asked === 'abandon' ? 'ask.reason' : 'ask.feedback_text')}
    confirm={tOf('command', asked)}
    oneLine={asked === 'sign-off'}
    danger={asked === 'abandon'}
    onConfirm={async (answer) => {
      await projectApi.command(pid, asked, { [MEMBER[asked]]: answer });
      onDone();
    }}
    onClose={onClose}
  />
);
