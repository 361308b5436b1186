import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/t.ts';
import { ProblemNote } from './notes.tsx';
import { useAction } from './use-action.ts';

export interface AskDialogProps {
  readonly title: string;
  readonly text?: string;
  /** Of the field; without one nothing is asked for but a yes. */
  readonly label?: string;
  readonly confirm: string;
  /** One line instead of many. */
  readonly oneLine?: boolean;
  /** May be left empty. */
  readonly optional?: boolean;
  readonly danger?: boolean;
  readonly onConfirm: (answer: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks a person for a text before something is done; Escape leaves without doing it. */
export function AskDialog({ onConfirm, onClose, ...ask }: AskDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [answer, setAnswer] = useState('');
  const { run, busy, problem } = useAction(async () => {
    await onConfirm(answer.trim());
    dialog.current?.close();
  });
  useEffect(() => dialog.current?.showModal(), []);
  const field = {
    id: 'asked',
    value: answer,
    required: ask.optional !== true,
    onInput: (event: Event) => setAnswer((event.currentTarget as HTMLInputElement | HTMLTextAreaElement).value),
  };
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="asked-title">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <h2 id="asked-title">{ask.title}</h2>
        {ask.text !== undefined && <p class="quiet">{ask.text}</p>}
        {ask.label !== undefined && <label for="asked">{ask.label}</label>}
        {ask.label !== undefined &&
          (ask.oneLine === true ? <input type="text" {...field} /> : <textarea rows={5} {...field} />)}
        {problem !== undefined && <ProblemNote problem={problem} />}
        <div class="actions">
          <button type="submit" class={ask.danger === true ? 'danger' : 'primary'} disabled={busy}>
            {ask.confirm}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            {t('do.cancel')}
          </button>
        </div>
      </form>
    </dialog>
  );
}
