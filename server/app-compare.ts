import { join } from 'node:path';
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
  return openComparer({
    folder: join(folder, 'reading'),
    office: findPrograms('soffice', path)[0],
    sandbox: () => {
      makeFolders(folder, { mode: 0o700 });
      return createSandbox({
        mode: sandbox,
        path,
        hidden,
        readable: readerCode().readable,
        shim: join(folder, 'shim'),
      });
    },
  });
}
