import { Problem } from './problem.ts';

const PLACE = 'devloop.token';
const SHARED = 'devloop';
/** So long does a new tab wait for another one to answer, in milliseconds. */
const WAIT_MS = 120;
const listeners = new Set<() => void>();
let refused: Problem | undefined;

/** The token of this tab; undefined where it has none yet, or the server refused it. */
export const token = (): string | undefined => sessionStorage.getItem(PLACE) ?? undefined;

/** Why the server did not take the last key or token. */
export const refusal = (): Problem | undefined => refused;

/** Keeps the token until the tab is closed: no cookie, no address ever holds it. */
export function keepToken(value: string): void {
  refused = undefined;
  sessionStorage.setItem(PLACE, value);
  for (const listener of listeners) listener();
}

/** Lets a token go that the server does not take. */
export function refuse(problem: Problem): void {
  refused = problem;
  sessionStorage.removeItem(PLACE);
  for (const listener of listeners) listener();
}

/** Calls back when the token comes or goes. @returns how to stop. */
export function onToken(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Comes by a token where this tab has none: by the key in the address's fragment, which is taken out of it, or from another tab of
 * this browser, now or when one gets it.
 */
export async function openSession(): Promise<void> {
  const [, key] = /^#key=([\w-]+)$/.exec(location.hash) ?? [];
  if (key !== undefined) history.replaceState(null, '', '#/');
  const channel = new BroadcastChannel(SHARED);
  channel.addEventListener('message', ({ data }) => {
    const known = token();
    if (data === ASKED && known !== undefined) channel.postMessage({ token: known });
    if (data instanceof Object && 'token' in data && known === undefined) keepToken(String(data.token));
  });
  try {
    if (key !== undefined) channel.postMessage({ token: await redeem(key) });
    else if (token() === undefined) await askOtherTabs(channel);
  } catch (error) {
    // A link that was used before does no harm in a tab that is open already.
    if (error instanceof Problem && token() === undefined) refuse(error);
  }
}

const ASKED = 'token?';

function askOtherTabs(channel: BroadcastChannel): Promise<void> {
  return new Promise((resolve) => {
    onToken(resolve);
    channel.postMessage(ASKED);
    setTimeout(resolve, WAIT_MS);
  });
}

/** Throws Problem. */
async function redeem(key: string): Promise<string> {
  const response = await fetch('/api/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  }).catch((cause: unknown) => {
    throw new Problem(0, {}, { cause });
  });
  const body: unknown = await response.json();
  if (!response.ok) throw new Problem(response.status, body);
  const given = String((body as { readonly token: unknown }).token);
  keepToken(given);
  return given;
}
