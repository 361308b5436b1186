import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintRuleContext, SecretLintRuleCreator, SecretLintSourceCode } from '@secretlint/types';
import type { SecretMatch } from './secret-match.ts';

/**
 * Finds secrets by secretlint's recommended rules. Its comments that switch rules off are the agent's and do not count; no
 * file is opened, as a rule would by its path.
 */
export async function libraryMatches(content: string): Promise<readonly SecretMatch[]> {
  const found: SecretMatch[] = [];
  for (const rule of SCANNERS) {
    const name = rule.meta.id.slice(PREFIX.length);
    const report: SecretLintRuleContext['report'] = ({ range: [start, end] }) => {
      found.push({ rule: name, start, end, secret: content.slice(start, end) });
    };
    await rule.create({ ...CONTEXT, report }, {}).file?.(sourceOf(content));
  }
  return found;
}

const PREFIX = '@secretlint/secretlint-rule-';
/** The comments that switch rules off, and private keys (those in JSON are a rule of their own), which are looked for more widely here. */
const LEFT_OUT: ReadonlySet<string> = new Set(['filter-comments', 'privatekey', 'gcp'].map((name) => PREFIX + name));
const SCANNERS: readonly SecretLintRuleCreator[] = rules.filter(({ meta }) => !LEFT_OUT.has(meta.id));

const CONTEXT: Omit<SecretLintRuleContext, 'report'> = {
  sharedOptions: {},
  createTranslator: () => (messageId) => ({ messageId: String(messageId), message: '', data: undefined }),
  ignore: () => {},
};

function sourceOf(content: string): SecretLintSourceCode {
  const unused = (): never => {
    throw new Error('a rule asks for a place in the text');
  };
  return {
    content,
    ext: '',
    contentType: 'text',
    hasBOM: false,
    filePath: undefined,
    physicalFilePath: undefined,
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: unused,
    rangeToLocation: unused,
    positionToIndex: unused,
    indexToPosition: unused,
  };
}
