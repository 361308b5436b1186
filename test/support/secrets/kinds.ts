import { createHash, generateKeyPairSync } from 'node:crypto';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const HEX = '0123456789abcdef';
const BASE32 = `${LETTERS.toUpperCase()}234567`;
const WORD = `${LETTERS}${LETTERS.toUpperCase()}0123456789`;

/** The same characters for the same name each time, as random as a token's. Nothing here is a secret of anybody's. */
export function randomText(name: string, length: number, alphabet = WORD): string {
  let text = '';
  for (let i = 0; text.length < length; i++) {
    const bytes = createHash('sha512').update(`${name} ${i}`).digest();
    for (const byte of bytes) text += alphabet[byte % alphabet.length];
  }
  return text.slice(0, length);
}

const word = (length: number) => (name: string) => randomText(name, length);
const hex = (length: number) => (name: string) => randomText(name, length, HEX);
const upper = (length: number) => (name: string) => randomText(name, length, WORD.slice(26));
const digits = (length: number) => (name: string) => randomText(name, length, '123456789');

type Part = string | ((name: string) => string);

/** A kind of secret: the parts of one, and the file that would hold it. Cut into parts, so that no scanner takes this file for one. */
interface Kind {
  readonly parts: readonly Part[];
  readonly path?: string;
}

const kind = (...parts: readonly Part[]): Kind => ({ parts });
const inFile = (path: string, ...parts: readonly Part[]): Kind => ({ parts, path });

const KINDS: Readonly<Record<string, Kind>> = {
  'AWS access key id': kind('AWS_ACCESS_KEY_ID=AK', 'IA', (name) => randomText(name, 16, BASE32)),
  'AWS secret access key': kind('aws_secret_access', '_key = ', word(40)),
  'AWS Bedrock key': kind('AB', 'SK', word(130)),
  'Azure storage key': kind('DefaultEndpointsProtocol=https;Account', 'Key=', word(86), '=='),
  'Google API key': kind('AI', 'za', word(35)),
  'Google client secret': kind('GOC', 'SPX-', word(28)),
  'Google OAuth token': kind('ya', '29.', word(120)),
  'Google service account': inFile('service.json', (name) => serviceAccount(name)),
  'private key, PKCS#8': kind(() => pem('pkcs8')),
  'private key, RSA': kind(() => pem('pkcs1')),
  'private key, EC': kind(() => pem('sec1')),
  'private key, encrypted': kind(() => pem('pkcs8', 'passphrase')),
  'private key, cut off': kind(() => pem('pkcs8').slice(0, 300)),
  'private key, one line of code': kind(() => `const key = ${JSON.stringify(pem('pkcs8'))};`),
  'private key, OpenSSH': kind(`${dashes('BEGIN OPENSSH PRIVATE', 'KEY')}\n`, 'b3BlbnNzaC1rZXktdjE', word(300)),
  'private key, PGP': kind(`${dashes('BEGIN PGP PRIVATE', 'KEY BLOCK')}\nVersion: 1\n\n`, word(300)),
  'PuTTY key': inFile('key.ppk', 'PuTTY-User-', 'Key-File-3: ssh-ed25519\n'),
  'age key': kind('AGE-SECRET', '-KEY-1', upper(58)),
  'npm token': kind('np', 'm_', word(36)),
  'npmrc token': inFile('.npmrc', '//registry.example.net/:_auth', 'Token=', word(40)),
  'PyPI token': kind('py', 'pi-AgE', word(150)),
  'RubyGems key': kind('ruby', 'gems_', hex(48)),
  'basic authentication in a URL': kind('https://deploy:', word(16), '@git.company.io/repo'),
  'PostgreSQL URL': kind('postgres://app:', word(16), '@db.company.io:5432/app'),
  'MongoDB URL': kind('mongodb+srv://app:', word(16), '@cluster0.abcde.mongodb.net/app'),
  'MySQL URL': kind('mysql://app:', word(16), '@db.company.io/app'),
  'GitHub token': kind('gh', 'p_', word(36)),
  'GitHub fine-grained token': kind('github', '_pat_', word(82)),
  'GitLab token': kind('gl', 'pat-', word(20)),
  'Slack token': kind('xo', 'xb-', digits(12), '-', digits(12), '-', word(24)),
  'Slack webhook': kind('https://hooks.slack', '.com/services/T', upper(8), '/B', upper(8), '/', word(24)),
  'Discord token': kind((name) => btoa(randomText(name, 18, '0123456789')), '.', word(6), '.', word(38)),
  'Discord webhook': kind('https://discord', '.com/api/webhooks/', digits(18), '/', word(68)),
  'Teams webhook': kind('https://acme.webhook', '.office.com/webhookb2/', hex(36), '@', hex(36), '/', word(32)),
  'Telegram token': kind(digits(10), ':A', 'A', word(33)),
  'Twilio key': kind('S', 'K', hex(32)),
  'SendGrid key': kind('S', 'G.', word(22), '.', word(43)),
  'Mailchimp key': kind(hex(32), '-us', '12'),
  'Stripe key': kind('sk_', 'live_', word(24)),
  'Square token': kind('sq0', 'csp-', word(43)),
  'Shopify token': kind('shp', 'at_', hex(32)),
  'OpenAI key': kind('sk-', 'proj-', word(120)),
  'OpenRouter key': kind('sk-', 'or-v1-', hex(64)),
  'Anthropic key': kind('sk-', 'ant-api03-', word(93), 'AA'),
  'Groq key': kind('gs', 'k_', word(52)),
  'xAI key': kind('xa', 'i-', word(80)),
  'Perplexity key': kind('pp', 'lx-', word(48)),
  'Replicate token': kind('r', '8_', word(37)),
  'Hugging Face token': kind('h', 'f_', (name) => randomText(name, 34, WORD.slice(0, 52))),
  'Linear key': kind('lin', '_api_', word(40)),
  'Notion token': kind('nt', 'n_', digits(11), word(35)),
  'Figma token': kind('fi', 'gd_', word(40)),
  'Airtable token': kind('pa', 't', word(14), '.', hex(64)),
  'Atlassian token': kind('ATA', 'TT3', word(180)),
  'Grafana token': kind('gl', 'sa_', word(32), '_', hex(8)),
  'New Relic key': kind('NR', 'AK-', upper(27)),
  'Sentry token': kind('snt', 'rys_', word(120)),
  'Postman key': kind('PM', 'AK-', hex(24), '-', hex(34)),
  'Vault token': kind('hv', 's.', word(95)),
  'Terraform token': kind(word(14), '.atlas', 'v1.', word(64)),
  'Pulumi token': kind('pu', 'l-', hex(40)),
  'Doppler token': kind('dp', '.pt.', word(43)),
  'Databricks token': kind('da', 'pi', hex(32)),
  'Docker token': kind('dckr', '_pat_', word(27)),
  'Tailscale key': kind('tskey', '-auth-', word(17), '-', word(32)),
  'DigitalOcean token': kind('do', 'p_v1_', hex(64)),
  'Heroku key': kind('HR', 'KU-', hex(36)),
  'Netlify token': kind('nf', 'p_', word(40)),
  'Supabase token': kind('sb', 'p_', hex(40)),
  'PlanetScale token': kind('pscale', '_tkn_', word(43)),
  'Buildkite token': kind('bk', 'ua_', hex(40)),
  'CircleCI token': kind('CCI', 'PAT_', word(60)),
  'Mapbox token': kind('sk', '.eyJ', word(90), '.', word(22)),
  'Dropbox token': kind('s', 'l.', word(140)),
};

/** Files that hold a secret each, by what it is. */
export const SECRETS: readonly { readonly what: string; readonly path: string; readonly content: string }[] =
  Object.entries(KINDS).map(([what, { parts, path = 'config.txt' }]) => {
    const text = parts.map((part, i) => (typeof part === 'string' ? part : part(`${what} ${i}`))).join('');
    return {
      what,
      path,
      content: `# settings\n\n${path.endsWith('.json') ? '' : 'value: '}${text}\n`.replace(/^# settings\n\n(?=\{)/, ''),
    };
  });

function dashes(...words: readonly string[]): string {
  return `-----${words.join(' ')}-----`;
}

function pem(type: 'pkcs1' | 'pkcs8' | 'sec1', passphrase?: string): string {
  const protection = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase };
  const { privateKey } =
    type === 'sec1'
      ? generateKeyPairSync('ec', {
          namedCurve: 'prime256v1',
          publicKeyEncoding: { type: 'spki', format: 'pem' },
          privateKeyEncoding: { type, format: 'pem' },
        })
      : generateKeyPairSync('rsa', {
          modulusLength: 1024,
          publicKeyEncoding: { type: 'spki', format: 'pem' },
          privateKeyEncoding: { type, format: 'pem', ...protection },
        });
  return privateKey;
}

function serviceAccount(name: string): string {
  const members = { type: 'service_account', private_key_id: randomText(name, 40, HEX), private_key: pem('pkcs8') };
  return JSON.stringify(members, null, 2);
}
