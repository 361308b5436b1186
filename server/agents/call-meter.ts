import type { Usage } from '../domain/agent-call.ts';
import type { CallWatch } from './call-watch.ts';
import type { CallProgress } from './driver.ts';
import { createRedactor } from './redact.ts';
import type { Transcript } from './transcript.ts';
import { visibleText } from './visible-text.ts';

/** Counts what goes on in a call, and hands it on made safe. */
export interface CallMeter {
  readonly progress: CallProgress;
  /** What all turns together cost; a figure is absent where no turn told it. */
  usage(): Usage;
  /** Hands on what was held back of the output. */
  flush(): void;
}

export function callMeter(to: {
  readonly watch: CallWatch;
  readonly transcript: Transcript;
  readonly onOutput: (text: string) => void;
  readonly secrets: readonly string[];
}): CallMeter {
  const redactor = createRedactor(to.secrets);
  let usage: Usage = {};
  const show = (text: string) => {
    if (text !== '') to.onOutput(text);
  };
  const flush = () => show(redactor.flush());
  return {
    flush,
    usage: () => usage,
    progress: {
      said: (text) => show(redactor.push(visibleText(text))),
      note: (entry) => {
        if (entry.kind === 'message') flush();
        to.transcript.note(entry);
      },
      heard: to.watch.heard,
      wrote: to.watch.wrote,
      spent: (more) => {
        usage = sum(usage, more);
      },
      working: to.watch.working,
    },
  };
}

function sum(a: Usage, b: Usage): Usage {
  const total = (name: keyof Usage): Usage =>
    a[name] === undefined && b[name] === undefined ? {} : { [name]: (a[name] ?? 0) + (b[name] ?? 0) };
  return { ...total('input_tokens'), ...total('output_tokens'), ...total('cost') };
}
