import { homedir } from 'node:os';
import { join } from 'node:path';
import { documentComparer } from './app-compare.ts';
import type { Comparer } from './compare/index.ts';
import { loadConfig, type Settings } from './config/index.ts';
import { withoutUndefined } from './domain/without-undefined.ts';
import { systemClock } from './io/clock.ts';
import { makeFolders } from './io/make-folders.ts';
import { openWorkspaces, tryBucket, type WorkspaceOptions, type Workspaces } from './workspace/index.ts';

export type { Comparer } from './compare/index.ts';
export { summaryOf } from './compare/index.ts';
export type { Workspace, WorkspaceChange, Workspaces } from './workspace/index.ts';
export { newHistoryKey, parseIdentities } from './workspace/index.ts';
export { workspacePatch } from './workspace-patch.ts';
export { workspacePicture } from './workspace-picture.ts';

/**
 * Opens the histories of the person's folders, by the settings; nothing else of the app is loaded.
 * @param watch changes are watched for between two points: for processes that run long
 */
export function workspacesOf(settings: Settings, { watch = false }: { readonly watch?: boolean } = {}): Workspaces {
  return openWorkspaces({
    watch,
    stateDir: settings.state_dir,
    home: homedir(),
    maxTurns: settings.snapshot_max,
    maxAgeDays: settings.snapshot_max_age_days,
    maxTotalBytes: settings.snapshot_max_total_bytes,
    exclude: settings.snapshot_exclude,
    include: settings.snapshot_include,
    largeFileBytes: settings.snapshot_large_file_bytes,
    bucket: bucketOf(settings),
    objects: settings.objects,
    now: () => systemClock.now(),
  });
}

/** Tries the bucket of the settings with a small object. @returns undefined where there is none; what failed where something did */
export async function tryBucketOf(
  settings: Settings,
): Promise<{ readonly url: string; readonly failed?: Awaited<ReturnType<typeof tryBucket>> } | undefined> {
  const access = bucketOf(settings);
  const url = access?.url;
  if (access === undefined || url === undefined) return undefined;
  return { url, failed: await tryBucket({ ...access, url }) };
}

function bucketOf(settings: Settings): WorkspaceOptions['bucket'] {
  const { bucket_url, bucket_region, bucket_access_key_id, bucket_secret_access_key, bucket_session_token } = settings;
  if (bucket_access_key_id === undefined || bucket_secret_access_key === undefined)
    return { url: bucket_url, region: bucket_region };
  const credentials = withoutUndefined({
    accessKeyId: bucket_access_key_id,
    secretAccessKey: bucket_secret_access_key,
    sessionToken: bucket_session_token,
  });
  return { url: bucket_url, region: bucket_region, credentials };
}

/** Compares contents of the person's folders, by the settings. `path` is the host's PATH. */
export function comparerOf({ sandbox, state_dir }: Settings, path: string): Comparer {
  makeFolders(state_dir);
  return documentComparer({ sandbox, path, hidden: [state_dir, homedir()], folder: join(state_dir, 'compare') });
}

/** Opens histories that are kept in a folder of the caller's, by the default settings. */
export function workspacesIn(stateDir: string): Workspaces {
  // Nobody's settings are below a home that is the folder itself.
  const { settings } = loadConfig({ flags: { state_dir: stateDir }, env: { HOME: stateDir }, cwd: stateDir });
  return workspacesOf(settings, { watch: true });
}
