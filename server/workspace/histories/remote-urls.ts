/** A remote as it may be kept: without whatever could be a secret in its address. */
export interface SavedRemote {
  readonly name: string;
  readonly url: string;
}

/** The remotes of a git config. Addresses lose passwords, users of web addresses (which can be tokens), queries and fragments; those of unknown forms are left out. */
export function remotesOf(config: string): readonly SavedRemote[] {
  let name: string | undefined;
  const found = new Map<string, string>();
  for (const line of config.split('\n')) {
    const section = /^\s*\[\s*([a-z0-9.-]+)(?:\s+"([^"\\]*)")?\s*\]/i.exec(line);
    if (section !== null) name = section[1]?.toLowerCase() === 'remote' ? section[2] : undefined;
    const [, quoted, plain] = /^\s*url\s*=\s*(?:"([^"\\]+)"|([^"\s\\;#]+))\s*$/i.exec(line) ?? [];
    const value = quoted ?? plain;
    const url = value === undefined ? undefined : withoutSecrets(value);
    if (name !== undefined && url !== undefined && !found.has(name)) found.set(name, url);
  }
  return [...found].map(([remote, url]) => ({ name: remote, url }));
}

function withoutSecrets(text: string): string | undefined {
  const address = URL.parse(text);
  if (address === null || !text.includes('://')) return SCP.test(text) || text.startsWith('/') ? text : undefined;
  if (!['http:', 'https:', 'ssh:', 'git:', 'file:'].includes(address.protocol)) return undefined;
  address.password = '';
  address.search = '';
  address.hash = '';
  if (address.protocol !== 'ssh:') address.username = '';
  return address.href;
}

/** `user@host:path`, where the user is no secret; no `transport::address`. */
const SCP = /^(?:[A-Za-z0-9._-]+@)?[A-Za-z0-9.-]+:(?!:)[^@\s]+$/;
