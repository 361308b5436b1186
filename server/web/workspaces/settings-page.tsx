import { useState } from 'preact/hooks';
import { workspaceApi } from '../api/workspace-api.ts';
import { t } from '../i18n/t.ts';
import { Field, Tick } from '../shell/field.tsx';
import { ProblemNote } from '../shell/notes.tsx';
import { useAction } from '../shell/use-action.ts';
import type { FolderView } from './folder-view.ts';
import { changesOf, draftOf } from './settings-draft.ts';

/** What points hold and how long they stay. */
export function SettingsPage({ workspace, reload }: FolderView) {
  const [before, setBefore] = useState(draftOf(workspace.settings));
  const [draft, setDraft] = useState(before);
  const [saved, setSaved] = useState(false);
  const change = (part: Partial<typeof draft>) => {
    setSaved(false);
    setDraft((old) => ({ ...old, ...part }));
  };
  const { run, busy, problem } = useAction(async () => {
    const { settings } = await workspaceApi.change(workspace.id, changesOf(before, draft));
    setBefore(draftOf(settings));
    setDraft(draftOf(settings));
    setSaved(true);
    reload();
  });
  return (
    <form
      class="stack narrow"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <fieldset>
        <legend>{t('settings.what')}</legend>
        <Tick label={t('settings.gitignore')} on={draft.gitignore} onChange={(gitignore) => change({ gitignore })} />
        <label for="exclude">{t('settings.exclude')}</label>
        <textarea
          id="exclude"
          rows={4}
          value={draft.exclude}
          onInput={(event) => change({ exclude: event.currentTarget.value })}
        />
        <label for="include">{t('settings.include')}</label>
        <textarea
          id="include"
          rows={4}
          value={draft.include}
          onInput={(event) => change({ include: event.currentTarget.value })}
        />
        <p class="quiet">{t('settings.fixed')}</p>
      </fieldset>
      <fieldset>
        <legend>{t('settings.nested')}</legend>
        <Tick
          label={t('settings.nested_history')}
          on={draft.nested_history}
          onChange={(nested_history) => change({ nested_history })}
        />
        <Tick
          label={t('settings.nested_stash')}
          on={draft.nested_stash}
          onChange={(nested_stash) => change({ nested_stash })}
        />
        <Tick
          label={t('settings.nested_remotes')}
          on={draft.nested_remotes}
          onChange={(nested_remotes) => change({ nested_remotes })}
        />
        <label for="recipients">{t('settings.recipients')}</label>
        <textarea
          id="recipients"
          rows={2}
          value={draft.recipients}
          onInput={(event) => change({ recipients: event.currentTarget.value })}
        />
      </fieldset>
      <fieldset>
        <legend>{t('settings.keep')}</legend>
        <div class="pair">
          <Field
            id="max_turns"
            label={t('settings.max_turns')}
            value={draft.max_turns}
            onChange={(max_turns) => change({ max_turns })}
          />
          <Field
            id="max_age_days"
            label={t('settings.max_age_days')}
            value={draft.max_age_days}
            onChange={(max_age_days) => change({ max_age_days })}
          />
          <Field
            id="max_bytes"
            label={t('settings.max_bytes')}
            value={draft.max_bytes}
            onChange={(max_bytes) => change({ max_bytes })}
          />
          <Field
            id="large_file_bytes"
            label={t('settings.large_file_bytes')}
            value={draft.large_file_bytes}
            onChange={(large_file_bytes) => change({ large_file_bytes })}
          />
        </div>
        <p class="quiet">{t('settings.empty')}</p>
      </fieldset>
      {problem !== undefined && <ProblemNote problem={problem} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={busy}>
          {t('settings.save')}
        </button>
        {saved && <span role="status">{t('settings.saved')}</span>}
      </div>
    </form>
  );
}
