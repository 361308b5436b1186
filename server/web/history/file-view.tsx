import { useState } from 'preact/hooks';
import { t } from '../i18n/t.ts';
import { bytes } from '../shell/format.ts';
import { EmptyNote, LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';
import { FileLines } from './file-lines.tsx';
import { blameOfFile, type FilePlace, readText } from './read-file.ts';

export interface FileViewProps {
  readonly pid: string;
  readonly head: string;
  readonly at: FilePlace;
}

/** A file as text, never as a page; beside each line who wrote it, where that is asked for. */
export function FileView({ pid, head, at }: FileViewProps) {
  const [blamed, setBlamed] = useState(true);
  const { value, problem } = useLoad(() => readText(pid, at), `${pid} ${JSON.stringify(at)}`, head);
  const lines = value?.kind === 'text' ? value.lines : [];
  const blame = useLoad(
    async () => (blamed && lines.length > 0 ? blameOfFile(pid, at, lines.length) : undefined),
    `${pid} ${JSON.stringify(at)} ${blamed} ${lines.length}`,
    head,
  );
  if (problem !== undefined) return <ProblemNote problem={problem} />;
  if (value === undefined) return <LoadingNote />;
  if (value.kind === 'binary') return <EmptyNote title={t('file.binary', { size: bytes(value.size) })} />;
  if (lines.length === 0) return <EmptyNote title={t('file.empty')} />;
  return (
    <>
      <p class="links">
        <button type="button" aria-pressed={blamed} onClick={() => setBlamed(!blamed)}>
          {t('file.blame')}
        </button>
        <a href={linkTo(['p', pid, 'history'], { path: at.path, path_b64: at.path_b64 })}>{t('file.history')}</a>
        {blamed && blame.loading && (
          <span role="status" class="quiet">
            {t('state.loading')}
          </span>
        )}
      </p>
      {blamed && blame.value?.length === 0 && <p class="note">{t('file.no_blame')}</p>}
      {blame.problem !== undefined && <ProblemNote problem={blame.problem} />}
      <FileLines pid={pid} path={at.path} lines={lines} blame={blamed ? (blame.value ?? []) : undefined} />
    </>
  );
}
