import { t, tOf } from '../i18n/t.ts';
import { type LiveEvent, textIn } from '../live/live-event.ts';
import { toneOf } from '../shell/badge.tsx';
import { Moment } from '../shell/moment.tsx';
import { linkTo } from '../shell/route.ts';
import { eventText } from './event-text.ts';

const WORDS = { t, tOf };
const TONES: Readonly<Record<string, string>> = {
  agent_failed: 'bad',
  git_failed: 'bad',
  budget_exceeded: 'bad',
  secret_found: 'bad',
  recovery_dirty_tree: 'wait',
  gate_waiting: 'wait',
  agent_started: 'busy',
  git_committed: 'good',
};

/** An event on one line: when, what kind, what happened; it leads to its commit or run. */
export function EventRow({ event, pid }: { readonly event: LiveEvent; readonly pid: string }) {
  const text = eventText(event, WORDS);
  const tone = TONES[event.kind] ?? toneOf(textIn(event, 'outcome') || textIn(event, 'status'));
  const target = targetOf(event, pid);
  return (
    <div class="event" data-seq={event.seq}>
      <span class="event-when">
        <Moment ts={event.ts} />
      </span>
      <span class={`event-kind tone-${tone}`}>{tOf('kind', event.kind)}</span>
      <span class="event-text" title={text.slice(0, 1_000)}>
        {target === undefined ? text.slice(0, 400) : <a href={target}>{text.slice(0, 400)}</a>}
      </span>
    </div>
  );
}

function targetOf(event: LiveEvent, pid: string): string | undefined {
  const [call, run, sha] = [textIn(event, 'call'), textIn(event, 'run'), textIn(event, 'sha')];
  if (sha !== '') return linkTo(['p', pid, 'history', sha]);
  if (run !== '') return linkTo(['p', pid, 'runs', run]);
  return call === '' ? undefined : linkTo(['p', pid, 'runs', call]);
}
