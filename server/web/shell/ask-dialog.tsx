import type { ComponentChildren } from 'preact';
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
  /** Takes as much room as there is, for what is shown in it. */
  readonly wide?: boolean;
  /** False until what is decided about can be seen. */
  readonly ready?: boolean;
  /** What is decided about. */
  readonly children?: ComponentChildren;
  /** Closes the question, but where it resolves with false. */
  readonly onConfirm: (answer: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks a person for a text or a yes before something is done; Escape leaves without doing it. */
export function AskDialog({ onConfirm, onClose, ready = true, ...ask }: AskDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [answer, setAnswer] = useState('');
  const { run, busy, problem } = useAction(async () => {
    if ((await onConfirm(answer.trim())) !== false) dialog.current?.close();
  });
  useEffect(() => dialog.current?.showModal(), []);
  const field = {
    id: 'asked',
    value: answer,
    required: ask.optional !== true,
    onInput: (event: Event) => setAnswer((event.currentTarget as HTMLInputElement | HTMLTextAreaElement).value),
  };
  return (
    <dialog ref={dialog} class={ask.wide === true ? 'is-wide' : ''} onClose={onClose} aria-labelledby="asked-title">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) run();
        }}
      >
        <h2 id="asked-title">{ask.title}</h2>
        {ask.text !== undefined && <p class="quiet">{ask.text}</p>}
        {ask.children}
        {ask.label !== undefined && <label for="asked">{ask.label}</label>}
        {ask.label !== undefined &&
          (ask.oneLine === true ? <input type="text" {...field} /> : <textarea rows={5} {...field} />)}
        {problem !== undefined && <ProblemNote problem={problem} />}
        <div class="actions">
          <button type="submit" class={ask.danger === true ? 'danger' : 'primary'} disabled={busy || !ready}>
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
