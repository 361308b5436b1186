import { createHash } from 'node:crypto';
import { diskSnapshot } from './disk-snapshot.ts';

/** Every name, kind, mode and byte at and below every `.git` of a folder: a path and a hash a line. */
export function gitBytes(root: string): string {
  return [...diskSnapshot(root)]
    .filter(([path]) => path.split('/').includes('.git'))
    .map(([path, { kind, mode, content }]) => {
      const hash = createHash('sha256').update(content, 'latin1').digest('hex');
      return `${path} ${kind} ${mode.toString(8)} ${hash}\n`;
    })
    .join('');
}
