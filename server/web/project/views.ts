import { ComparePage } from '../compare/compare-page.tsx';
import { ExportPage } from '../export/export-page.tsx';
import { FilesPage } from '../history/files-page.tsx';
import { HistoryPage } from '../history/history-page.tsx';
import { RunsPage } from '../runs/runs-page.tsx';
import { EventsPage } from './events-page.tsx';
import { Overview } from './overview.tsx';
import { UnitPage } from './unit-page.tsx';

/** The views of a project, by their name in the address. */
export const VIEWS = {
  overview: Overview,
  runs: RunsPage,
  history: HistoryPage,
  files: FilesPage,
  compare: ComparePage,
  events: EventsPage,
  export: ExportPage,
  units: UnitPage,
} as const;
export type ViewName = keyof typeof VIEWS;
