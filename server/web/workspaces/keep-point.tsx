import { useState } from 'preact/hooks';
import { workspaceApi } from '../api/workspace-api.ts';
import { t } from '../i18n/t.ts';
import { AskDialog } from '../shell/ask-dialog.tsx';

/** Keeps the folder as it is, with a reason. */
export function KeepPoint({ ws, onDone }: { readonly ws: string; readonly onDone: () => void }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="primary" onClick={() => setAsking(true)}>
        {t('points.snap')}
      </button>
      {asking && (
        <AskDialog
          title={t('points.snap')}
          label={t('points.reason')}
          confirm={t('points.snap')}
          oneLine
          onConfirm={async (reason) => {
            await workspaceApi.snap(ws, reason);
            onDone();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
