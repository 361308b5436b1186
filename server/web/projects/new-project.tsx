import { useState } from 'preact/hooks';
import { projectApi } from '../api/project-api.ts';
import type { NewProject as NewProjectWish } from '../api/types.ts';
import { t, tOf } from '../i18n/t.ts';
import { Field, Tick } from '../shell/field.tsx';
import { ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useAction } from '../shell/use-action.ts';
import { useTitle } from '../shell/use-title.ts';
import { emptyDraft, type ProjectDraft, TEAMS, wishOf } from './project-draft.ts';

/** The form for a new project: what is to be built, by whom, and where a person wants to be asked. */
export function NewProject() {
  const [draft, setDraft] = useState(emptyDraft);
  const change = (part: Partial<ProjectDraft>) => setDraft((old) => ({ ...old, ...part }));
  const { run, busy, problem } = useAction(async (start: boolean) => {
    const { pid } = await projectApi.create(wishOf(draft) as NewProjectWish);
    if (start) await projectApi.command(pid, 'run');
    location.hash = linkTo(['p', pid]);
  });
  useTitle(t('new.title'));
  return (
    <section class="narrow">
      <h1>{t('new.title')}</h1>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          run(true);
        }}
      >
        <label for="requirement">{t('new.requirement')}</label>
        <textarea
          id="requirement"
          rows={6}
          required
          value={draft.requirement}
          aria-describedby="requirement-about"
          onInput={(event) => change({ requirement: event.currentTarget.value })}
        />
        <p class="quiet" id="requirement-about">
          {t('new.requirement_about')}
        </p>
        <div class="pair">
          <Field id="name" label={t('new.name')} value={draft.name} onChange={(name) => change({ name })} />
          <Field
            id="company"
            label={t('new.company')}
            value={draft.company}
            onChange={(company) => change({ company })}
          />
        </div>
        <TeamFields draft={draft} change={change} />
        <fieldset>
          <legend>{t('new.gates')}</legend>
          <Tick label={t('new.gate_prd')} on={draft.gate_prd} onChange={(gate_prd) => change({ gate_prd })} />
          <Tick label={t('new.gate_sdd')} on={draft.gate_sdd} onChange={(gate_sdd) => change({ gate_sdd })} />
        </fieldset>
        <details>
          <summary>{t('new.limits')}</summary>
          <div class="pair">
            <Field
              id="attempts"
              label={t('new.attempts')}
              value={draft.attempts}
              onChange={(attempts) => change({ attempts })}
            />
            <Field id="rounds" label={t('new.rounds')} value={draft.rounds} onChange={(rounds) => change({ rounds })} />
            <Field id="tokens" label={t('new.tokens')} value={draft.tokens} onChange={(tokens) => change({ tokens })} />
            <Field id="cost" label={t('new.cost')} value={draft.cost} onChange={(cost) => change({ cost })} />
          </div>
        </details>
        {problem !== undefined && <ProblemNote problem={problem} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={busy}>
            {t('new.create_run')}
          </button>
          <button type="button" disabled={busy || draft.requirement.trim() === ''} onClick={() => run(false)}>
            {t('new.create')}
          </button>
          <a class="button" href="#/">
            {t('do.cancel')}
          </a>
        </div>
      </form>
    </section>
  );
}

interface TeamFieldsProps {
  readonly draft: ProjectDraft;
  readonly change: (part: Partial<ProjectDraft>) => void;
}

function TeamFields({ draft, change }: TeamFieldsProps) {
  const { team } = draft;
  return (
    <fieldset>
      <legend>{t('new.team')}</legend>
      <label for="team">{t('new.team_who')}</label>
      <select id="team" value={team} onChange={(event) => change({ team: event.currentTarget.value as typeof team })}>
        {TEAMS.map((name) => (
          <option key={name} value={name}>
            {tOf('team', name)}
          </option>
        ))}
      </select>
      {team === 'openai' && (
        <div class="pair">
          <Field id="model" label={t('new.model')} value={draft.model} onChange={(model) => change({ model })} />
          <Field
            id="base_url"
            label={t('new.base_url')}
            value={draft.base_url}
            onChange={(base_url) => change({ base_url })}
          />
          <Field
            id="key"
            label={t('new.api_key_env')}
            value={draft.api_key_env}
            onChange={(api_key_env) => change({ api_key_env })}
          />
        </div>
      )}
    </fieldset>
  );
}
