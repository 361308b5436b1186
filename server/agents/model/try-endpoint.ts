import type { RoleTeam } from '../../domain/team.ts';

/** Asks an endpoint for its models, which costs nothing, with the key that calls would show. */
export async function tryEndpoint(
  { base_url, api_key_env, model }: Extract<RoleTeam, { driver: 'model' }>,
  { secret, signal }: { readonly secret: (name: string) => string | undefined; readonly signal: AbortSignal },
): Promise<{ readonly ok: boolean; readonly detail: string }> {
  const key = api_key_env === undefined ? undefined : secret(api_key_env);
  if (api_key_env !== undefined && key === undefined)
    return { ok: false, detail: `the environment variable ${api_key_env} is not set` };
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  try {
    const { status, body } = await fetch(`${base_url.replace(/\/+$/, '')}/models`, { headers, signal });
    await body?.cancel();
    if (status === 401 || status === 403) return { ok: false, detail: `${base_url} refuses the key (${status})` };
    return { ok: true, detail: `${model} at ${base_url}, which answers` };
  } catch (error) {
    const why = signal.aborted ? 'no answer in time' : causeOf(error);
    return { ok: false, detail: `${base_url} cannot be reached: ${why}` };
  }
}

/** fetch hides why in the cause of its error. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}
