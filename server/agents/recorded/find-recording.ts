import { readdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type CallFailure, failure } from '../driver.ts';
import { type Recording, readHeader, readRecording } from './recording.ts';

/** The recording that is played where none was made for the requirement; it will diverge and say so. */
const FALLBACK = 'todo';

/**
 * Finds a call's recording: the one that the team names (a folder of `demos`, or an absolute path), else the one that was made
 * for the requirement.
 * @param demos absolute path of templates/demo
 */
export function findRecording(
  demos: string,
  wanted: { readonly recording?: string; readonly requirement: string },
): Recording | CallFailure {
  const { recording } = wanted;
  if (recording !== undefined && isAbsolute(recording)) return readRecording(recording, recording);
  if (recording !== undefined && !/^[a-z0-9][a-z0-9-]{0,62}$/.test(recording))
    return failure('not_started', `${JSON.stringify(recording)} is neither the name of a demo nor an absolute path`);
  const name = recording ?? madeFor(demos, wanted.requirement) ?? FALLBACK;
  return readRecording(join(demos, name, 'recording.ndjson'), `templates/demo/${name}/recording.ndjson`);
}

function madeFor(demos: string, requirement: string): string | undefined {
  const names = readdirSync(demos, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  return names.find((name) => readHeader(join(demos, name, 'recording.ndjson'))?.requirement === requirement);
}
