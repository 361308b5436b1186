import { useState } from 'preact/hooks';
import { workspaceApi } from '../api/workspace-api.ts';
import { t } from '../i18n/t.ts';
import { Field } from '../shell/field.tsx';
import { ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useAction } from '../shell/use-action.ts';

/** The form that makes a folder a workspace. */
export function AddWorkspace() {
  const [path, setPath] = useState('');
  const { run, busy, problem } = useAction(async () => {
    const { id } = await workspaceApi.add({ path: path.trim() });
    location.hash = linkTo(['w', id]);
  });
  return (
    <form
      class="ends"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <Field id="path" label={t('workspaces.path')} value={path} onChange={setPath} placeholder="/home/me/project" />
      <button type="submit" class="primary" disabled={busy || path.trim() === ''}>
        {t('workspaces.add')}
      </button>
      {problem !== undefined && <ProblemNote problem={problem} />}
    </form>
  );
}
