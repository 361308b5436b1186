import { useState } from 'preact/hooks';
import { projectApi } from '../api/project-api.ts';
import type { Project } from '../api/types.ts';
import { tOf } from '../i18n/t.ts';
import { ProblemNote } from '../shell/notes.tsx';
import { useAction } from '../shell/use-action.ts';
import { AskForm } from './ask-form.tsx';
import { type Asked, commandsFor } from './commands.ts';

/** What can be done with a project as it stands. */
export function CommandBar({ project, reload }: { readonly project: Project; readonly reload: () => void }) {
  const [asked, setAsked] = useState<Asked>();
  const { run, busy, problem } = useAction(async (name: string) => {
    await projectApi.command(project.pid, name);
    reload();
  });
  return (
    <div class="commands">
      {commandsFor(project).map(({ name, asks, tone }) => (
        <button
          key={name}
          type="button"
          class={tone}
          disabled={busy}
          onClick={() => (asks ? setAsked(name) : run(name))}
        >
          {tOf('command', name)}
        </button>
      ))}
      {asked !== undefined && (
        <AskForm asked={asked} pid={project.pid} onDone={reload} onClose={() => setAsked(undefined)} />
      )}
      {problem !== undefined && <ProblemNote problem={problem} />}
    </div>
  );
}
