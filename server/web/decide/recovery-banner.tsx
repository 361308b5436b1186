import { useState } from 'preact/hooks';
import { projectApi } from '../api/project-api.ts';
import type { Recovery, RecoveryAction } from '../api/types.ts';
import { DiffView } from '../diff/diff-view.tsx';
import { t, tOf } from '../i18n/t.ts';
import { Portion } from '../list/portion.tsx';
import { pathKey } from '../paths/file-path.ts';
import { PathName } from '../paths/path-name.tsx';
import { LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { useAction } from '../shell/use-action.ts';
import { useLoad } from '../shell/use-load.ts';

export interface RecoveryBannerProps {
  readonly recovery: Recovery;
  readonly reload: () => void;
}

/** Files that a crash left in no commit: what each choice would do with them, and the choice, for just the state that is shown. */
export function RecoveryBanner({ recovery, reload }: RecoveryBannerProps) {
  const { pid, snapshot, files, options, inspecting } = recovery;
  const [chosen, setChosen] = useState<RecoveryAction>('commit_as_wip');
  const { value, problem } = useLoad(() => projectApi.uncommitted(pid), snapshot);
  const {
    run,
    busy,
    problem: refused,
  } = useAction(async () => {
    try {
      await projectApi.recover(pid, { action: chosen, snapshot });
    } finally {
      // Refused too: what is shown is not what is there any more.
      reload();
    }
  });
  return (
    <section class="banner tone-wait" aria-label={t('recovery.title')} data-snapshot={snapshot}>
      <h2>{t('recovery.title')}</h2>
      <p>{t('recovery.about', { n: files.length })}</p>
      {inspecting && <p class="note">{t('recovery.inspecting')}</p>}
      <Portion
        class="changes"
        items={files}
        row={({ change, ...named }) => (
          <li key={pathKey(named)} data-path={named.path}>
            <span class="mono break">
              <PathName named={named} />
            </span>{' '}
            <span class="tag">{tOf('change', change)}</span>
          </li>
        )}
      />
      <fieldset class="choices">
        <legend>{t('recovery.choose')}</legend>
        {options.map((option) => (
          <label key={option} class="tick">
            <input
              type="radio"
              name="recovery"
              value={option}
              checked={option === chosen}
              onChange={() => setChosen(option)}
            />
            <span>
              <strong>{tOf('recovery', option)}</strong> {tOf('recovery_about', option)}
            </span>
          </label>
        ))}
      </fieldset>
      {problem !== undefined && <ProblemNote problem={problem} />}
      {value === undefined && problem === undefined && <LoadingNote />}
      {value !== undefined && chosen !== 'manual_inspect' && (
        <DiffView
          key={chosen}
          patch={value.patch}
          files={value.files}
          layout="unified"
          reverse={chosen === 'reset_hard'}
        />
      )}
      {refused !== undefined && <ProblemNote problem={refused} />}
      <div class="actions">
        <button
          type="button"
          class={chosen === 'reset_hard' ? 'danger' : 'primary'}
          disabled={busy}
          onClick={() => run()}
        >
          {tOf('recovery', chosen)}
        </button>
      </div>
    </section>
  );
}
