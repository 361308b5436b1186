import { useEffect, useState } from 'preact/hooks';
import { projectApi } from '../api/project-api.ts';
import { DiffView } from '../diff/diff-view.tsx';
import { t } from '../i18n/t.ts';
import { pathKey } from '../paths/file-path.ts';
import type { View } from '../project/view.ts';
import { Field } from '../shell/field.tsx';
import { EmptyNote, LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';
import { revisionNames } from './revision-names.ts';

/** Compares any two of revisions, tags, attempts and rescues. The address says what is compared and how it is shown. */
export function ComparePage({ project, query }: View) {
  const { pid, head } = project;
  const { from = '', to = 'HEAD', view } = query;
  const [path, setPath] = useState(query.path);
  useEffect(() => setPath(query.path), [query.path]);
  const layout = view === 'unified' || (view === undefined && innerWidth < 900) ? 'unified' : 'split';
  const moving = to === 'HEAD' || to === 'main' || from === 'HEAD' || from === 'main' ? head : '';
  const names = useLoad(() => revisionNames(project), `${pid} names`, head);
  const { value, problem, loading, reload } = useLoad(
    async () => (from === '' ? undefined : projectApi.diff(pid, { from, to })),
    `${pid} ${from} ${to}`,
    moving,
  );
  const link = (change: Readonly<Record<string, string | undefined>>) =>
    linkTo(['p', pid, 'compare'], { from, to, path, view, ...change });
  return (
    <section>
      <Ends
        key={`${from} ${to}`}
        from={from}
        to={to}
        names={names.value ?? []}
        onChange={(ends) => {
          location.hash = link({ ...ends, path: undefined });
        }}
      />
      {from !== '' && (
        <p class="links">
          <a href={link({ from: to, to: from })}>{t('compare.swap')}</a>
          <a href={link({ view: layout === 'split' ? 'unified' : 'split' })}>
            {t(layout === 'split' ? 'compare.unified' : 'compare.split')}
          </a>
        </p>
      )}
      {problem !== undefined && <ProblemNote problem={problem} onRetry={reload} />}
      {from === '' && (
        <EmptyNote title={t('compare.none')}>
          <p>{t('compare.none_next')}</p>
        </EmptyNote>
      )}
      {loading && from !== '' && value === undefined && <LoadingNote />}
      {value !== undefined && (
        <DiffView
          key={`${from} ${to}`}
          patch={value.patch}
          files={value.files}
          layout={layout}
          path={path}
          onPath={(chosen) => {
            setPath(pathKey(chosen));
            history.replaceState(history.state, '', link({ path: pathKey(chosen) }));
          }}
        />
      )}
    </section>
  );
}

interface EndsProps {
  readonly from: string;
  readonly to: string;
  readonly names: readonly string[];
  readonly onChange: (ends: { readonly from: string; readonly to: string }) => void;
}

function Ends({ from, to, names, onChange }: EndsProps) {
  const [ends, setEnds] = useState({ from, to });
  useEffect(() => setEnds({ from, to }), [from, to]);
  return (
    <form
      class="ends"
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ from: ends.from.trim(), to: ends.to.trim() });
      }}
    >
      <Field
        id="from"
        label={t('compare.from')}
        value={ends.from}
        list="revisions"
        onChange={(value) => setEnds({ ...ends, from: value })}
      />
      <Field
        id="to"
        label={t('compare.to')}
        value={ends.to}
        list="revisions"
        onChange={(value) => setEnds({ ...ends, to: value })}
      />
      <datalist id="revisions">
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <button type="submit" class="primary">
        {t('compare.do')}
      </button>
    </form>
  );
}
