/** The entry of demo/: what `devloop demo workspace` shows. */
export { runWorkspaceDemo, type WorkspaceDemo } from './workspace-demo.ts';
