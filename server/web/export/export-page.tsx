import type { View } from '../project/view.ts';
import { Exports } from './exports.tsx';
import { Rescues } from './rescues.tsx';

/** The ways out of a project, and the ways back to what was rescued. */
export const ExportPage = (view: View) => (
  <div class="columns">
    <Exports {...view} />
    <Rescues project={view.project} reload={view.reload} />
  </div>
);
