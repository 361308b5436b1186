import type { CommitDetail } from '../api/types.ts';
import { t } from '../i18n/t.ts';
import { short } from '../shell/format.ts';
import { Moment } from '../shell/moment.tsx';
import { linkTo } from '../shell/route.ts';
import { visible, visibleLine } from '../shell/visible.ts';

export interface CommitProps {
  readonly pid: string;
  readonly commit: CommitDetail;
}

/** Who made a commit in which run, and its names. */
export function CommitFacts({ pid, commit }: CommitProps) {
  const { sha, parents, author, ts, trailers, refs } = commit;
  const [parent] = parents;
  const { 'DevLoop-Call': call } = trailers;
  return (
    <div data-commit={sha}>
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
    </div>
  );
}
