import { readGit } from './stream.ts';

/**
 * Makes one pack of everything that a repository has, also of what no ref reaches, beside the packs and files that are there.
 * @param signal ends it: what was begun is left as a temporary file
 * @returns the pack's name without its ending; undefined where there is nothing to pack. Durable but for the folder
 */
export async function packAll(shadowDir: string, signal: AbortSignal): Promise<string | undefined> {
  const sum = (await readGit(shadowDir, ARGS, { stdin: '', signal })).toString('latin1').trim();
  return sum === '' ? undefined : `pack-${sum}`;
}

const ARGS = [
  ...[
    'pack-objects',
    '--all',
    '--keep-unreachable',
    '--pack-loose-unreachable',
    '--delta-base-offset',
    '--non-empty',
    '-q',
  ],
  'objects/pack/pack',
];
