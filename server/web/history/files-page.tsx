import { projectApi } from '../api/project-api.ts';
import type { TreeEntry } from '../api/types.ts';
import { t, tOf } from '../i18n/t.ts';
import { Portion } from '../list/portion.tsx';
import { type FilePath, pathKey, pathLine, wayTo } from '../paths/file-path.ts';
import type { View } from '../project/view.ts';
import { bytes } from '../shell/format.ts';
import { EmptyNote, LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';
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
          location.hash = linkTo(['p', pid, 'files'], { ...query, ref: chosen });
        }}
      />
      <Crumbs
        named={file === undefined ? { path: path ?? '', path_b64 } : { path: file, path_b64: file_b64 }}
        link={link}
        isFile={file !== undefined}
      />
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

interface CrumbsProps {
  readonly named: FilePath;
  readonly link: LinkTo;
  readonly isFile: boolean;
}

/** The way to a folder or file; each part leads to itself. */
function Crumbs({ named, link, isFile }: CrumbsProps) {
  const way = wayTo(named);
  return (
    <nav class="crumbs mono" aria-label={t('files.way')}>
      <a href={link({})}>{t('files.root')}</a>
      {way.map((one, at) => (
        <span key={pathKey(one)}>
          {' / '}
          {at === way.length - 1 && isFile ? (
            <strong>{lastPart(one)}</strong>
          ) : (
            <a href={link({ ...one })}>{lastPart(one)}</a>
          )}
        </span>
      ))}
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
  const { value, problem } = useLoad(() => projectApi.tree(pid, at), `${pid} ${JSON.stringify(at)}`, head);
  if (problem !== undefined) return <ProblemNote problem={problem} />;
  if (value === undefined) return <LoadingNote />;
  if (value.items.length === 0) return <EmptyNote title={t('files.none')} />;
  const folders = value.items.filter(({ kind }) => kind === 'folder');
  const others = value.items.filter(({ kind }) => kind !== 'folder');
  return (
    <div>
      <Portion
        class="files"
        items={[...folders, ...others]}
        row={(entry) => <Entry key={pathKey(entry)} entry={entry} link={link} />}
      />
    </div>
  );
}

function Entry({ entry, link }: { readonly entry: TreeEntry; readonly link: LinkTo }) {
  const { path, path_b64, kind, size } = entry;
  const name = lastPart(entry);
  const target = kind === 'folder' ? link({ path, path_b64 }) : link({ file: path, file_b64: path_b64 });
  return (
    <li data-path={path} data-kind={kind}>
      {kind === 'gitlink' ? <span>{name}</span> : <a href={target}>{kind === 'folder' ? `${name}/` : name}</a>}
      {kind !== 'file' && kind !== 'folder' && <span class="tag">{tOf('entry', kind)}</span>}
      {size !== undefined && <span class="mono quiet number">{bytes(size)}</span>}
    </li>
  );
}

/** The name of a folder or file in the one above it. */
const lastPart = (named: FilePath): string => pathLine(named).split('/').at(-1) ?? '';
