import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Comparer, openComparer, readerCode } from './compare/index.ts';
import { makeFolders } from './io/make-folders.ts';
import { createSandbox, findPrograms, type SandboxMode } from './sandbox/index.ts';

export interface ComparerPlaces {
  readonly sandbox: SandboxMode;
  /** The host's PATH. */
  readonly path: string;
  /** Absolute paths of folders that programs which read documents must not see. */
  readonly hidden: readonly string[];
  /** Absolute path of a folder of the server's own, made when the first document is read. */
  readonly folder: string;
}

/** Compares contents, documents in processes that the sandbox holds where it works here. */
export function documentComparer({ sandbox, path, hidden, folder }: ComparerPlaces): Comparer {
  const [found] = findPrograms('soffice', path);
  const office = found === undefined ? undefined : realpathSync(found);
  return openComparer({
    folder: join(folder, 'reading'),
    office,
    sandbox: () => {
      makeFolders(folder, { mode: 0o700 });
      return createSandbox({
        mode: sandbox,
        path,
        hidden: [...hidden, ...foldersOfData()],
        readable: [...readerCode().readable, ...(office === undefined ? [] : officeFolders(office))],
        shim: join(folder, 'shim'),
      });
    },
  });
}

/** Folders at the top in which programs, libraries and their settings are, or what the sandbox has of its own. */
const SYSTEM = /^(bin|boot|dev|etc|gnu|lib\w*|nix|proc|run|sbin|snap|sys|tmp|usr)$/;

/** Whatever else is at the top: a document may name any file there, and LibreOffice would put it on a page. */
function foldersOfData(): readonly string[] {
  const folders = readdirSync('/', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => `/${name}`).filter((path) => !SYSTEM.test(path.slice(1)) && existsSync(path));
}

/** What LibreOffice is made of, and what it has below folders of data. */
function officeFolders(office: string): readonly string[] {
  const own = ['/var/lib/libreoffice', '/var/cache/fontconfig'].filter((path) => existsSync(path));
  return [dirname(dirname(office)), ...own];
}
