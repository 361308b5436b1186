import { projectApi } from '../api/project-api.ts';
import type { CommitDetail, Project } from '../api/types.ts';
import { Counts } from '../diff/diff-line.tsx';
import { t } from '../i18n/t.ts';
import { short } from '../shell/format.ts';
import { Moment } from '../shell/moment.tsx';
import { LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';
import { visible, visibleLine } from '../shell/visible.ts';

/** One commit: who made it in which run, and the files it changed. */
export function CommitView({ project: { pid }, rev }: { readonly project: Project; readonly rev: string }) {
  const { value, problem } = useLoad(() => projectApi.commit(pid, rev), `${pid} ${rev}`);
  return (
    <aside class="detail" aria-label={t('commit.label')}>
      {problem !== undefined && <ProblemNote problem={problem} />}
      {value === undefined && problem === undefined && <LoadingNote />}
      {value !== undefined && <Detail pid={pid} commit={value} />}
    </aside>
  );
}

function Detail({ pid, commit }: { readonly pid: string; readonly commit: CommitDetail }) {
  const { sha, parents, subject, author, ts, trailers, refs, files } = commit;
  const [parent] = parents;
  const { 'DevLoop-Call': call } = trailers;
  return (
    <div data-commit={sha}>
      <div class="head">
        <h2>{visibleLine(subject)}</h2>
        <a class="button" href={linkTo(['p', pid, 'history'])}>
          {t('do.close')}
        </a>
      </div>
      <p>
        {visible(author.name)} <span class="quiet">&lt;{visible(author.email)}&gt;</span> · <Moment ts={ts} />
      </p>
      <p class="links">
        {parent !== undefined && (
          <a href={linkTo(['p', pid, 'compare'], { from: parent, to: sha })}>{t('commit.compare')}</a>
        )}
        <a href={linkTo(['p', pid, 'files'], { ref: sha })}>{t('commit.files')}</a>
        {call !== undefined && <a href={linkTo(['p', pid, 'runs', call])}>{t('commit.run', { call })}</a>}
      </p>
      <dl>
        <dt>{t('commit.id')}</dt>
        <dd class="mono break">{sha}</dd>
        <dt>{t('commit.parents')}</dt>
        <dd class="mono">
          {parents.map((one) => (
            <a key={one} href={linkTo(['p', pid, 'history', one])}>
              {short(one)}{' '}
            </a>
          ))}
        </dd>
        {refs.length > 0 && <dt>{t('commit.refs')}</dt>}
        {refs.length > 0 && <dd>{refs.map(visibleLine).join(', ')}</dd>}
        {Object.entries(trailers).map(([name, value]) => (
          <div key={name}>
            <dt>{visibleLine(name)}</dt>
            <dd class="mono break">{visible(value)}</dd>
          </div>
        ))}
      </dl>
      <h3>{t('commit.changed', { n: files.length })}</h3>
      <ul class="changes">
        {files.map((file) => (
          <li key={file.path} data-path={file.path}>
            {parent === undefined ? (
              <span class="mono break">{visibleLine(file.path)}</span>
            ) : (
              <a class="mono break" href={linkTo(['p', pid, 'compare'], { from: parent, to: sha, path: file.path })}>
                {visibleLine(file.path)}
              </a>
            )}{' '}
            <Counts change={file} />
          </li>
        ))}
      </ul>
    </div>
  );
}
