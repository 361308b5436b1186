import { projectApi } from '../api/project-api.ts';
import { ProblemNote } from '../shell/notes.tsx';
import { linkTo } from '../shell/route.ts';
import { useLoad } from '../shell/use-load.ts';
import { visibleLine } from '../shell/visible.ts';

/** What looks like secrets and keeps a project from leaving. */
export function OpenFindings({ pid }: { readonly pid: string }) {
  const { value, problem } = useLoad(() => projectApi.findings(pid), pid);
  if (problem !== undefined) return <ProblemNote problem={problem} />;
  return (
    <ul class="saved">
      {value?.items
        .filter(({ open }) => open)
        .map(({ blob, rule, path, line, commit }) => (
          <li key={blob + rule}>
            <a class="mono break" href={linkTo(['p', pid, 'history', commit])}>
              {visibleLine(path)}:{line}
            </a>{' '}
            <span class="tag">{rule}</span>
          </li>
        ))}
    </ul>
  );
}
