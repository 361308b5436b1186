import { t } from '../i18n/t.ts';
import { ScrollBox } from '../list/scroll-box.tsx';
import { type LiveEvent, textIn } from '../live/live-event.ts';
import { visible } from '../shell/visible.ts';

/** What the agent has printed since the page is open; the log keeps it for a week. */
export function RunOutput({ call, events }: { readonly call: string; readonly events: readonly LiveEvent[] }) {
  const text = events
    .filter((event) => event.kind === 'agent_output' && event.call === call)
    .map((event) => textIn(event, 'text'))
    .join('\n');
  const summary = textIn(
    events.find((event) => event.kind === 'agent_finished' && event.call === call) ?? NONE,
    'summary',
  );
  return (
    <>
      {summary !== '' && (
        <>
          <h4>{t('call.summary')}</h4>
          <pre class="say">{visible(summary)}</pre>
        </>
      )}
      {text !== '' && (
        <>
          <h4>{t('call.printed')}</h4>
          <ScrollBox class="output" label={t('call.printed')}>
            <pre>{visible(text)}</pre>
          </ScrollBox>
        </>
      )}
    </>
  );
}

const NONE: LiveEvent = { seq: 0, ts: '', kind: '' };
