const MB = 1024 * 1024;
const filled = (text: string): string => text.repeat(Math.ceil(MB / text.length)).slice(0, MB);
const armor = (what: string): string => `-----${what}-----`;

/** Texts of 1 MB that lead each kind of pattern as far as it goes, and then on. */
export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  'one letter': filled('a'),
  'one word of many letters': filled('A0bC9'),
  'nothing but blanks': filled(' '),
  'empty lines': filled('\n'),
  zeros: '\0'.repeat(MB),
  'beginnings of addresses': filled('http://'),
  'addresses with a user and no host': filled('https://a:b'),
  'addresses of databases, cut off': filled(`mongodb://${'a'.repeat(100)}:`),
  'beginnings of Slack tokens': filled('xoxb-1-'),
  'one Slack token without an end': `xoxb-${filled('a-')}`,
  'beginnings of keys': filled('sk-proj-'),
  'beginnings of GitHub tokens': filled('ghp_'),
  'first lines of private keys': filled(`${armor('BEGIN PRIVATE KEY')}\n`),
  'a private key without an end': `${armor('BEGIN PRIVATE KEY')}\n${filled('A')}`,
  'private keys that are cut off': filled(`${armor('BEGIN RSA PRIVATE KEY')}\n${'A'.repeat(9990)}`),
  dashes: filled('-----BEGIN '),
  'titles of private keys': filled('-----BEGIN A A A A '),
  'secrets without a value': filled('aws_secret_access_key='),
  'an assignment of blanks': `secret_access_key${filled(' ')}`,
  'account ids': filled('account=1234'),
  'npm tokens of nothing': filled('_authToken='),
  'assignments of nothing': filled('_auth = "'),
  'beginnings of JSON web tokens': filled('eyJ'),
  'parts of Discord tokens': filled('MTIzMTIz.MTIzMT.'),
  'parts of Mapbox tokens': filled('sk.eyJaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.'),
  underscores: filled('_'),
  quotes: filled('"'),
  braces: filled('{"'),
  digits: filled('1234567890'),
  'hex digits with ends': filled(`${'a1'.repeat(16)}-us`),
};
