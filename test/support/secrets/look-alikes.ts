import { createHash, generateKeyPairSync } from 'node:crypto';

const sum = (name: string, kind: string, form: 'hex' | 'base64' = 'hex') => createHash(kind).update(name).digest(form);
const armor = (what: string) => `-----${what}-----`;
const { publicKey } = generateKeyPairSync('ec', {
  namedCurve: 'prime256v1',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

const TEXTS: Readonly<Record<string, string>> = {
  "the example keys of AWS's own documents": `AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n`,
  'a token that is read from the environment': `const token = process.env.GITHUB_TOKEN ?? '';\nexport NPM_TOKEN="$NPM_TOKEN"\n`,
  'an npmrc that names a variable': `//registry.npmjs.org/:_authToken=$\{NPM_TOKEN}\n`,
  'the sums of a lock file': Array.from(
    { length: 50 },
    (_, i) => `"integrity": "sha512-${sum(`${i}`, 'sha512', 'base64')}"`,
  ).join('\n'),
  'commit ids': Array.from({ length: 50 }, (_, i) => sum(`${i}`, 'sha1')).join('\n'),
  'cache keys': `key-${sum('a', 'md5')}\nsk-${sum('b', 'sha256')}\ncache_${sum('c', 'sha256')}\n`,
  UUIDs: Array.from({ length: 50 }, (_, i) =>
    sum(`${i}`, 'md5').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  ).join('\n'),
  'a public key': publicKey,
  'a certificate': `${armor('BEGIN CERTIFICATE')}\n${sum('cert', 'sha512', 'base64').repeat(9)}\n${armor('END CERTIFICATE')}\n`,
  'code that looks for private keys': `if (text.startsWith('${armor('BEGIN PRIVATE KEY')}')) return 'pem';\nconst end = '${armor('END PRIVATE KEY')}';\n`,
  'a placeholder of a private key': `${armor('BEGIN RSA PRIVATE KEY')}\n...\nyour key goes here, as one line of base64\n...\n${armor('END RSA PRIVATE KEY')}\n`,
  'a database on this machine':
    'DATABASE_URL=postgres://app:k3Jh29xQw8@localhost:5432/app\nREDIS=redis://127.0.0.1:6379\n',
  'a database of a compose file':
    'url: postgres://app:k3Jh29xQw8@db:5432/app\nmongo: mongodb://root:Zt81kqPwm2@mongo:27017\n',
  'an address at a reserved name':
    'curl http://alice:Zt81kqPwm2@example.com/ ftp://bob:k3Jh29xQw8@files.example.org/\n',
  'a URL with variables': `postgres://$\{DB_USER}:$\{DB_PASSWORD}@$\{DB_HOST}/app\n`,
  'tokens of the same character': `ghp_${'x'.repeat(36)}\nglpat-${'0'.repeat(20)}\nxoxb-000000000000-000000000000-${'0'.repeat(24)}\nAIza${'a'.repeat(35)}\n`,
  'tokens that are to be filled in':
    'OPENAI_API_KEY=sk-your-api-key-here\nSLACK=xoxb-your-token\nSTRIPE=sk_test_your_key_here\n',
  'class names of a style sheet':
    '.sk-loading-spinner-three-bounce-animation-delay-long {}\n.pat-grid-responsive-three-columns {}\n',
  'variables of npm':
    'npm_config_registry npm_lifecycle_event npm_package_config_port npm_config_user_agent_string_value\n',
  'an image in a data URI': `data:image/png;base64,${sum('png', 'sha512', 'base64').repeat(40)}\n`,
  'long names of code':
    'OrganizationUserRepositories.delete.byIdentifierAndOrganizationName(x); MembershipController.update.membershipOfOrganization\n',
  'text about secrets':
    'Set the password, the API key and the access token before you start. Never commit a private key.\n',
  'a time stamp with an offset': '1700000000:AAR\n12345678:AAB\n',
};

/** Files that look as if they held a secret, and hold none. */
export const LOOK_ALIKES: readonly { readonly what: string; readonly content: string }[] = Object.entries(TEXTS).map(
  ([what, content]) => ({ what, content }),
);
