/** The views of a project that have a tab, in their order. */
export const TABS = ['overview', 'runs', 'history', 'files', 'compare', 'events', 'export'] as const;
