import { useState } from 'preact/hooks';
import { workspaceApi } from '../api/workspace-api.ts';
import { readPages } from '../shell/read-pages.ts';
import { useLoad } from '../shell/use-load.ts';
import { timeRows } from './time-line-rows.ts';

const PAGE = 100;

/** Points and turns of a workspace, so many pages of both. */
export function useTimeLine(ws: string) {
  const [pages, setPages] = useState(1);
  const loaded = useLoad(
    async () => {
      const [points, turns] = await Promise.all([
        readPages((cursor) => workspaceApi.points(ws, { limit: PAGE, cursor }), pages),
        readPages((cursor) => workspaceApi.turns(ws, { limit: PAGE, cursor }), pages),
      ]);
      return {
        rows: timeRows(points, turns),
        more: points.next !== undefined || turns.next !== undefined,
        turns: turns.items.length,
      };
    },
    `${ws} points`,
    String(pages),
  );
  return { ...loaded, showOlder: () => setPages(pages + 1) };
}
