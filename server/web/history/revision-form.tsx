import { useState } from 'preact/hooks';
import type { Project } from '../api/types.ts';
import { revisionNames } from '../compare/revision-names.ts';
import { t } from '../i18n/t.ts';
import { Field } from '../shell/field.tsx';
import { useLoad } from '../shell/use-load.ts';

export interface RevisionFormProps {
  readonly project: Project;
  readonly revision: string;
  readonly onChange: (revision: string) => void;
}

/** Which revision is meant: by name, or any commit's id. */
export function RevisionForm({ project, revision, onChange }: RevisionFormProps) {
  const [typed, setTyped] = useState(revision);
  const { value = [] } = useLoad(() => revisionNames(project), `${project.pid} names`, project.head);
  return (
    <form
      class="ends"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(typed.trim() === '' ? 'HEAD' : typed.trim());
      }}
    >
      <Field id="revision" label={t('files.revision')} value={typed} list="all-revisions" onChange={setTyped} />
      <datalist id="all-revisions">
        {value.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <button type="submit">{t('files.show')}</button>
    </form>
  );
}
