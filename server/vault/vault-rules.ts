import { parseIgnoreList, type TreeRules } from '../tree/index.ts';

/** Names that are left out of commits whatever they hold, and named; patterns of an ignore file. */
export const SECRET_NAMES = ['secrets/', 'token.txt', '*.env', '.env*', '*.pem', 'id_rsa*'] as const;

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
