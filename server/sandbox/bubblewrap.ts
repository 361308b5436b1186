import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import { findPrograms } from './find-programs.ts';

/** A command and the bounds it is to have. All paths are absolute and, but for what is below the root, without links. */
export interface Command {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The folder it works on: seen whole but for `hidden`, and read-only but for `writable`. */
  readonly root: string;
  /** Folders that it may write: below the root, or the call's own temporary ones. */
  readonly writable: readonly string[];
  /** Files and folders below writable ones that stay read-only. */
  readonly protected: readonly string[];
  /** Files and folders below the root that it must not see. */
  readonly hidden: readonly string[];
  /** `own`: a loopback of its own and nothing else. `host`: the host's network. */
  readonly network: 'own' | 'host';
}

interface HostPlaces {
  /** Path of bwrap. */
  readonly program: string;
  readonly hidden: readonly string[];
  readonly shown: readonly string[];
  /** The `git` that refuses; it stands in every other one's place. */
  readonly git: string;
  readonly path: string;
}

/**
 * Namespaces of its own, no way to further ones, and no capabilities in them: where the server runs as root, bubblewrap
 * would leave it all of these.
 */
export const NAMESPACES = [
  '--unshare-user',
  '--disable-userns',
  ...['--cap-drop', 'ALL'],
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--die-with-parent',
  '--new-session',
] as const;

/** What a program of the same user as the kernel's own could set: where the server runs as root, their modes alone permit it. */
const KERNEL = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'mtrr'].map((name) => `/proc/${name}`);

/** Folders of the host in which other programs leave sockets and files. */
const SHARED = ['/tmp', '/var/tmp', '/run'];

/**
 * The argument list that runs a command in its bounds. Nothing below the root becomes a mount point unless it is there and
 * no part of its path is a link, else bubblewrap could be led to write elsewhere: what is absent is left out.
 * Throws path_refused for a link.
 */
export function bubblewrapArguments(host: HostPlaces, command: Command): readonly string[] {
  const hidden = outermost([...host.hidden, ...SHARED.filter((path) => kindOf(path) === 'folder')]);
  const isHidden = (path: string): boolean => hidden.some((folder) => isWithin(path, folder));
  const shown = [...host.shown, nodeFolder(hidden), command.root].filter(isHidden);
  const isSeen = (path: string): boolean => !isHidden(path) || shown.some((folder) => isWithin(path, folder));
  const gits = [...new Set(findPrograms('git', host.path).map((path) => realpathSync(path)))];
  return [
    host.program,
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...KERNEL.filter((path) => kindOf(path) !== 'absent').flatMap((path) => ['--ro-bind', path, path]),
    ...hidden.flatMap((folder) => ['--tmpfs', folder]),
    ...shown.flatMap((path) => ['--ro-bind', path, path]),
    ...inPlace(command.root, command.writable).flatMap((path) => ['--bind', path, path]),
    ...inPlace(command.root, command.protected).flatMap((path) => ['--ro-bind', path, path]),
    ...inPlace(command.root, command.hidden).flatMap(cover),
    ...gits.filter((path) => path !== host.git && isSeen(path)).flatMap((path) => ['--ro-bind', host.git, path]),
    ...NAMESPACES,
    ...(command.network === 'own' ? ['--unshare-net'] : []),
    ...['--chdir', command.cwd, '--', ...command.argv],
  ];
}

/** Those that are there, each part of the path below the root looked at. */
function inPlace(root: string, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => {
    const below = isWithin(path, root) ? relative(root, path).split(sep) : [];
    const parts = below.map((_, at) => join(root, ...below.slice(0, at + 1)));
    const link = parts.find((part) => kindOf(part) === 'link');
    if (link === undefined) return kindOf(path) !== 'absent';
    throw new DevLoopError('path_refused', `${link} is a link; it cannot bound a program`, { data: { path: link } });
  });
}

const cover = (path: string): readonly string[] =>
  kindOf(path) === 'folder' ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path];

/** Where the server's own Node lives, with what came with it; only its program's folder where that would show a hidden one. */
function nodeFolder(hidden: readonly string[]): string {
  const program = dirname(process.execPath);
  const whole = dirname(program);
  return hidden.some((folder) => isWithin(folder, whole)) ? program : whole;
}

/** The root of the file system cannot be hidden; what lies below another hidden folder is hidden by it. */
function outermost(folders: readonly string[]): readonly string[] {
  const real = [...new Set(folders)].filter((folder) => folder !== '/');
  return real.filter((folder) => !real.some((other) => other !== folder && isWithin(folder, other)));
}

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}${sep}`);

function kindOf(path: string): 'absent' | 'folder' | 'link' | 'file' {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 'absent';
  return stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'link' : 'file';
}
