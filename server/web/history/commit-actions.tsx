import { useState } from 'preact/hooks';
import { projectApi } from '../api/project-api.ts';
import type { CommitDetail, Project } from '../api/types.ts';
import { t } from '../i18n/t.ts';
import { AskDialog } from '../shell/ask-dialog.tsx';
import { short } from '../shell/format.ts';
import { RevertDialog } from './revert-dialog.tsx';

export interface CommitActionsProps {
  readonly project: Project;
  readonly commit: CommitDetail;
  readonly reload: () => void;
}

/** What a person can do with a commit: give it a name, or take back what it changed. */
export function CommitActions({ project: { pid, status }, commit, reload }: CommitActionsProps) {
  const [asked, setAsked] = useState<'tag' | 'revert'>();
  const { sha, parents } = commit;
  const [parent] = parents;
  const onClose = () => setAsked(undefined);
  return (
    <div class="actions">
      <button type="button" onClick={() => setAsked('tag')}>
        {t('commit.tag')}
      </button>
      {parent !== undefined && status !== 'running' && (
        <button type="button" onClick={() => setAsked('revert')}>
          {t('commit.revert')}
        </button>
      )}
      {asked === 'tag' && (
        <AskDialog
          title={t('commit.tag')}
          text={t('commit.tag_about', { sha: short(sha) })}
          label={t('commit.tag_name')}
          confirm={t('commit.tag')}
          oneLine
          onConfirm={async (name) => {
            await projectApi.tag(pid, { name, ref: sha });
            reload();
          }}
          onClose={onClose}
        />
      )}
      {asked === 'revert' && parent !== undefined && (
        <RevertDialog pid={pid} commit={commit} parent={parent} onDone={reload} onClose={onClose} />
      )}
    </div>
  );
}
