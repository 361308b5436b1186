import type { Settings } from '../config/index.ts';
import type { Check } from './agent-checks.ts';

/** A line of `devloop doctor` about the bucket for large files; none where the settings name none. */
export async function bucketCheck(settings: Settings): Promise<readonly Check[]> {
  if (settings.bucket_url === undefined) return [];
  const { tryBucketOf } = await import('../app-workspaces.ts');
  const tried = await tryBucketOf(settings);
  if (tried === undefined) return [];
  const { url, failed } = tried;
  if (failed === undefined)
    return [{ name: 'bucket', ok: true, detail: `${url}: puts, lists, gives back and removes` }];
  const { step, error } = failed;
  return [
    { name: 'bucket', ok: false, detail: [`${step} failed: ${error.message}`, error.hint].filter(Boolean).join('. ') },
  ];
}
