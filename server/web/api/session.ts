import { Problem } from './problem.ts';

const PLACE = 'devloop.token';
const listeners = new Set<() => void>();

/** The token of this tab; undefined where it has none yet, or the server refused it. */
export const token = (): string | undefined => sessionStorage.getItem(PLACE) ?? undefined;

/** Keeps the token for this tab only: no cookie, no address ever holds it. */
export function keepToken(value: string | undefined): void {
  if (value === undefined) sessionStorage.removeItem(PLACE);
  else sessionStorage.setItem(PLACE, value);
  for (const listener of listeners) listener();
}

/** Calls back when the token comes or goes. @returns how to stop. */
export function onToken(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Trades the key in the address's fragment for the token, and takes the key out of the address. Throws Problem. */
export async function redeemKey(): Promise<void> {
  const [, key] = /^#key=([\w-]+)$/.exec(location.hash) ?? [];
  if (key === undefined) return;
  history.replaceState(null, '', '#/');
  const response = await fetch('/api/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  });
  const body: unknown = await response.json();
  if (!response.ok) throw new Problem(response.status, body);
  if (body instanceof Object && 'token' in body) keepToken(String(body.token));
}
