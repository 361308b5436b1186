import { useMemo, useState } from 'preact/hooks';
import { t } from '../i18n/t.ts';
import { VirtualList } from '../list/virtual-list.tsx';
import { Tick } from '../shell/field.tsx';
import { format } from '../shell/moment.tsx';
import { EmptyNote } from '../shell/notes.tsx';
import { EventRow } from './event-row.tsx';
import type { View } from './view.ts';

const ROW = 26;

/** Everything that happened, oldest first; it keeps to its end while that is in sight. */
export function EventsPage({ project, live }: View) {
  const [output, setOutput] = useState(true);
  const events = useMemo(
    () => (output ? live.events : live.events.filter(({ kind }) => kind !== 'agent_output')),
    [live.events, output],
  );
  return (
    <section>
      <div class="head">
        <h2>{t('events.title', { n: format.count(events.length) })}</h2>
        <Tick label={t('events.output')} on={output} onChange={setOutput} />
      </div>
      {events.length === 0 ? (
        <EmptyNote title={t('events.none')} />
      ) : (
        <VirtualList
          class="events"
          count={events.length}
          rowHeight={ROW}
          label={t('events.label')}
          sticky
          row={(index) => {
            const event = events[index];
            return event === undefined ? <span /> : <EventRow key={event.seq} event={event} pid={project.pid} />;
          }}
        />
      )}
    </section>
  );
}
