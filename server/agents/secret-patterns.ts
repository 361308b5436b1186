/** What is held back of a stream, in UTF-16 units: more than one match of SECRETS can cover (under 4,000), so that none is cut in two. */
export const HELD_BACK = 4096;

const TOKENS = [
  'sk-[A-Za-z0-9_-]{20,250}',
  '[rs]k_(?:live|test)_[A-Za-z0-9]{16,250}',
  'gh[pousr]_[A-Za-z0-9]{30,255}',
  'github_pat_[A-Za-z0-9_]{22,255}',
  'gl(?:pat|ptt|dt|rt)-[A-Za-z0-9_-]{20,255}',
  '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}',
  'AIza[A-Za-z0-9_-]{35}',
  'ya29\\.[A-Za-z0-9_-]{20,500}',
  'xox[abeoprs]-[A-Za-z0-9-]{10,250}',
  'npm_[A-Za-z0-9]{36}',
  'pypi-[A-Za-z0-9_-]{40,500}',
  'hf_[A-Za-z0-9]{30,100}',
  'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,128}',
  'AGE-SECRET-KEY-1[A-Z0-9]{40,80}',
  'eyJ[A-Za-z0-9_-]{8,1000}\\.eyJ[A-Za-z0-9_-]{8,2000}\\.[A-Za-z0-9_-]{8,800}',
];

const KEY_TITLE = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----';
const KEY_BODY = '(?:[A-Za-z0-9+/=\\s\\\\:,]|-(?!----))';

/**
 * What secrets look like, all repeats bounded. Groups: `keep` is shown before the mark, `key` is the start of a private key,
 * `end` its end. The values after `Bearer` and `scheme://user:` are secrets whatever their shape.
 */
export const SECRETS = new RegExp(
  [
    `(?<key>-----BEGIN ${KEY_TITLE}${KEY_BODY}{0,3600}(?<end>-----END ${KEY_TITLE})?)`,
    `(?<![A-Za-z0-9_-])(?:${TOKENS.join('|')})`,
    '(?<keep>[Bb]earer {1,8})[A-Za-z0-9._~+/-]{16,2000}={0,4}',
    '(?<keepUrl>[a-z][a-z0-9+.-]{1,20}://[^\\s/:@"\']{0,100}:)[^\\s/@"\']{1,300}(?=@)',
  ].join('|'),
  'g',
);

/** The rest of a private key that is longer than one match; sticky. */
export const KEY_REST = new RegExp(`${KEY_BODY}{0,3600}(?<end>-----END ${KEY_TITLE})?`, 'y');
