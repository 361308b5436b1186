import { DevLoopError } from './errors.ts';

/** Another repository that a project may be pushed to. */
export interface Remote {
  /** Lower-case letters, digits and dashes. */
  readonly name: string;
  /** `https://…`, `ssh://…` or `user@host:path`; never with a password in it. */
  readonly url: string;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})$/;
const USER = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/;
/** What neither git, ssh nor a shell on the other side takes for anything but letters of a path. */
const PATH = /^[A-Za-z0-9._~/+-]{1,1000}$/;
const ADDRESS = /^[A-Za-z0-9._~/+@:-]+$/;

/** Checks the name of a remote. Throws `validation_failed`. */
export function parseRemoteName(text: string): string {
  if (NAME.test(text)) return text;
  throw refused(`${JSON.stringify(text.slice(0, 100))} cannot be the name of a remote`, {
    hint: 'Lower-case letters, digits and dashes.',
  });
}

/** Checks where a remote is: by https or ssh, and without anything secret in the address. Throws `validation_failed`. */
export function parseRemoteUrl(text: string): string {
  const short = /^([^@:/]+)@([^@:/]+):([^:]+)$/.exec(text);
  if (short !== null) {
    const [, user = '', host = '', path = ''] = short;
    if (USER.test(user) && HOST.test(host) && isPath(path)) return text;
    throw refusedUrl();
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['https:', 'ssh:'].includes(url.protocol)) throw refusedUrl();
  const isSecret = url.password !== '' || url.search !== '' || (url.protocol === 'https:' && url.username !== '');
  if (isSecret) {
    throw refused('the address of a remote may hold no name, password or token', {
      hint: 'Give a token with each push: devloop push --token-file.',
    });
  }
  const isPlain = url.hash === '' && (url.username === '' || USER.test(url.username)) && HOST.test(url.hostname);
  if (isPlain && ADDRESS.test(text) && url.pathname !== '/' && isPath(url.pathname)) return text;
  throw refusedUrl();
}

const isPath = (path: string): boolean => PATH.test(path) && !path.startsWith('-') && !path.includes('/-');

function refusedUrl(): DevLoopError {
  return refused('this is not an address that can be pushed to', {
    hint: 'https://host/path.git, ssh://user@host/path.git or user@host:path.git, in plain letters.',
  });
}

function refused(message: string, details: { readonly hint: string }): DevLoopError {
  return new DevLoopError('validation_failed', message, details);
}
