import { DevLoopError } from '../../domain/errors.ts';

const ID = '[a-z0-9][a-z0-9-]{0,62}';
const COUNT = '[1-9][0-9]{0,5}';
const ATTEMPT = new RegExp(`^attempts/${ID}/${COUNT}/${COUNT}$`);
const RESCUE = /^rescue\/[0-9A-Za-z][0-9A-Za-z_-]{0,99}$/;
/** Tags, branches, hashes and HEAD alike; no dash in front, no `..`, no `@{`, nothing that git reads as an operator. */
const NAME = /^(?!.*\.\.)(?!.*\.lock$)(?!.*\.$)[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const OTHER_HEADS = /^(FETCH|ORIG|MERGE|CHERRY_PICK|REVERT|BISECT|AUTO_MERGE)(_HEAD)?$/;

/** Lets through only what can name a revision; whether it exists is the vault's to say. Throws ref_invalid. */
export function parseRevName(text: string): string {
  if ((NAME.test(text) && !OTHER_HEADS.test(text)) || ATTEMPT.test(text) || RESCUE.test(text)) return text;
  throw new DevLoopError('ref_invalid', `${JSON.stringify(text.slice(0, 100))} is not a revision's name.`, {
    hint: 'Use a commit id (7 to 40 hex digits), a tag, HEAD, main, attempts/{unit}/{round}/{attempt} or rescue/{id}.',
  });
}
