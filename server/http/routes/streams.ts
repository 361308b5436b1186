import { withoutUndefined } from '../../domain/without-undefined.ts';
import { eventsRoute, jsonRoute } from '../route.ts';
import { atProject } from '../schemas/common.ts';
import { followQuery, timelinePage, timelineQuery } from '../schemas/events.ts';

export const followProject = eventsRoute('GET /projects/:pid/events', {
  summary: "Follow a project's events, after Last-Event-ID or ?after=; from now where neither is given",
  params: atProject,
  query: followQuery,
  codes: ['project_not_found'],
  handle: async ({ params, query, signal }, { loop, feed }) => {
    await loop.project(params.pid);
    return feed.follow(params.pid, withoutUndefined({ after: query.after, signal }));
  },
});

export const followAll = eventsRoute('GET /events', {
  summary: 'Follow the events of all projects; ids of its own',
  query: followQuery,
  handle: async ({ query, signal }, { feed }) => feed.followAll(withoutUndefined({ after: query.after, signal })),
});

export const readTimeline = jsonRoute('GET /projects/:pid/timeline', {
  summary: 'Read the timeline, oldest first',
  params: atProject,
  query: timelineQuery,
  response: timelinePage,
  codes: ['project_not_found'],
  handle: async ({ params, query }, { feed }) => {
    const items = await feed.timeline(params.pid, query);
    const last = items.at(-1);
    return last !== undefined && items.length === query.limit ? { items, next: String(last.seq) } : { items };
  },
});
