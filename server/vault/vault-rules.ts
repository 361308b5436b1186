import { parseIgnoreList, type TreeRules } from '../tree/index.ts';

/** Names that are left out of commits whatever they hold, and named; patterns of an ignore file. */
export const SECRET_NAMES = ['secrets/', 'token.txt', '*.env', '.env*', '*.pem', 'id_rsa*'] as const;

/**
 * What is not judged: the server's running state, which it writes all the time, and what tools make again by themselves. All
 * else is, ignored files too, since what one holds may decide how another unit's tests end.
 */
const UNJUDGED = '/agent-state/\n/history/\n/stream.log\nnode_modules/\n.cache/\n.tmp/\n.coverage/\n.vitest-cache/\n';

const unjudged = parseIgnoreList(UNJUDGED, 'what is not judged');
const secrets = parseIgnoreList(SECRET_NAMES.join('\n'), 'secret names');

/** What a vault takes of a project's folder. */
export function vaultRules(maxFileBytes: number): TreeRules {
  return {
    ignoreFiles: true,
    lists: [],
    secrets,
    maxFileBytes,
    key: `vault 1 ${maxFileBytes}`,
  };
}

/** What agent calls are judged by. */
export function judgedRules(maxFileBytes: number): TreeRules {
  return {
    ignoreFiles: false,
    lists: [unjudged],
    maxFileBytes,
    key: `baseline 1 ${maxFileBytes}`,
  };
}
