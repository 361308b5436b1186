import { posix } from 'node:path';
import { readXml } from './read-xml.ts';
import type { ZipPackage } from './zip-package.ts';

export interface Relationship {
  /** The end of its type's address: `slide`, `hyperlink`. */
  readonly type: string;
  /** Name of a part; of an external one its address, which is never opened. */
  readonly target: string;
  readonly external: boolean;
}

/** What a part of an Office Open XML package refers to, by id; of the package itself where the part is ''. */
export function relationshipsOf(zip: ZipPackage, part: string): ReadonlyMap<string, Relationship> {
  const { dir, base } = posix.parse(part);
  const name = posix.join(dir, '_rels', `${base}.rels`);
  const bytes = zip.read(name);
  const found = new Map<string, Relationship>();
  if (bytes === undefined) return found;
  readXml(bytes, name, {
    open: ({ name: tag, attribute }) => {
      if (tag !== 'Relationship') return;
      const external = attribute('TargetMode') === 'External';
      const target = attribute('Target');
      const type = attribute('Type').split('/').at(-1) ?? '';
      found.set(attribute('Id'), { type, external, target: external ? target : partName(dir, target) });
    },
  });
  return found;
}

/** Only names of parts come out: what leads above the package names none of them. */
function partName(folder: string, target: string): string {
  return target.startsWith('/') ? posix.normalize(target.slice(1)) : posix.join(folder, target);
}
