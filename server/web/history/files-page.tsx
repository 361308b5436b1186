import { projectApi } from '../api/project-api.ts';
import type { TreeEntry } from '../api/types.ts';
import { t, tOf } from '../i18n/t.ts';
import type { View } from '../project/view.ts';
import { bytes } from '../shell/format.ts';
import { EmptyNote, LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';
import { visibleLine } from '../shell/visible.ts';
import { FileView } from './file-view.tsx';
import { RevisionForm } from './revision-form.tsx';

/** The files of a revision: folders to go into, and files to read, each line with who wrote it. */
export function FilesPage({ project, query }: View) {
  const { pid, head } = project;
  const { ref = 'HEAD', path, path_b64, file, file_b64 } = query;
  const link = (to: Readonly<Record<string, string | undefined>>) => linkTo(['p', pid, 'files'], { ref, ...to });
  return (
    <section>
      <RevisionForm
        key={ref}
        project={project}
        revision={ref}
        onChange={(chosen) => {
          location.hash = linkTo(['p', pid, 'files'], { ref: chosen, path, file });
        }}
      />
      <Crumbs path={file ?? path ?? ''} link={link} isFile={file !== undefined} />
      {file === undefined ? (
        <Folder pid={pid} at={{ ref, path, path_b64 }} head={head} link={link} />
      ) : (
        <FileView
          key={`${ref} ${file} ${file_b64}`}
          pid={pid}
          head={head}
          at={{ ref, path: file, path_b64: file_b64 }}
        />
      )}
    </section>
  );
}

type LinkTo = (to: Readonly<Record<string, string | undefined>>) => string;

/** The way to a folder or file; each part leads to itself. */
function Crumbs({ path, link, isFile }: { readonly path: string; readonly link: LinkTo; readonly isFile: boolean }) {
  const parts = path.split('/').filter((part) => part !== '');
  return (
    <nav class="crumbs mono" aria-label={t('files.way')}>
      <a href={link({})}>{t('files.root')}</a>
      {parts.map((part, at) => {
        const to = parts.slice(0, at + 1).join('/');
        const last = at === parts.length - 1;
        return (
          <span key={to}>
            {' / '}
            {last && isFile ? (
              <strong>{visibleLine(part)}</strong>
            ) : (
              <a href={link({ path: to })}>{visibleLine(part)}</a>
            )}
          </span>
        );
      })}
    </nav>
  );
}

interface FolderProps {
  readonly pid: string;
  readonly head: string;
  readonly at: { readonly ref: string; readonly path: string | undefined; readonly path_b64: string | undefined };
  readonly link: LinkTo;
}

function Folder({ pid, head, at, link }: FolderProps) {
  const { value, problem } = useLoad(() => projectApi.tree(pid, at), `${pid} ${head} ${JSON.stringify(at)}`);
  if (problem !== undefined) return <ProblemNote problem={problem} />;
  if (value === undefined) return <LoadingNote />;
  if (value.items.length === 0) return <EmptyNote title={t('files.none')} />;
  const folders = value.items.filter(({ kind }) => kind === 'folder');
  const others = value.items.filter(({ kind }) => kind !== 'folder');
  return (
    <ul class="files">
      {[...folders, ...others].map((entry) => (
        <Entry key={entry.path} entry={entry} link={link} />
      ))}
    </ul>
  );
}

function Entry({ entry, link }: { readonly entry: TreeEntry; readonly link: LinkTo }) {
  const { path, path_b64, kind, size } = entry;
  const name = visibleLine(path.slice(path.lastIndexOf('/') + 1));
  const target = kind === 'folder' ? link({ path, path_b64 }) : link({ file: path, file_b64: path_b64 });
  return (
    <li data-path={path} data-kind={kind}>
      {kind === 'gitlink' ? <span>{name}</span> : <a href={target}>{kind === 'folder' ? `${name}/` : name}</a>}
      {kind !== 'file' && kind !== 'folder' && <span class="tag">{tOf('entry', kind)}</span>}
      {size !== undefined && <span class="mono quiet number">{bytes(size)}</span>}
    </li>
  );
}
