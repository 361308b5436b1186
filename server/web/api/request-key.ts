/** A key by which the server knows a repeated request: 32 random hex digits. Unlike a UUID of the browser's, it can be had on plain HTTP too. */
export function requestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
