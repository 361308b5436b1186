import { useEffect, useState } from 'preact/hooks';
import { projectApi } from '../api/project-api.ts';
import { followAll } from '../live/follow-all.ts';
import type { Link } from '../live/live-state.ts';
import { usePages } from '../shell/use-pages.ts';

/** The projects of a status, or all, each as it is now, and how the page stands to the server. */
export function useProjects(status: string | undefined) {
  const [link, setLink] = useState<Link>('connecting');
  const projects = usePages((cursor) => projectApi.list({ status, limit: 100, cursor }), `projects ${status ?? ''}`);
  const { reload } = projects;
  useEffect(() => followAll({ onNews: reload, onLink: setLink }), [reload]);
  return { ...projects, link };
}
