import { PointLine } from './point-line.tsx';
import type { TimeRow } from './time-line-rows.ts';
import { TurnRow } from './turn-row.tsx';

/** Turns and points as a list. */
export const TimeRows = ({ ws, rows }: { readonly ws: string; readonly rows: readonly TimeRow[] }) => (
  <ol class="time-line">
    {rows.map((row) =>
      row.kind === 'turn' ? (
        <TurnRow key={row.id} ws={ws} turn={row.turn} />
      ) : (
        <li key={row.id} data-point={row.id}>
          <PointLine ws={ws} point={row.point} before={row.before} />
        </li>
      ),
    )}
  </ol>
);
