import { z } from 'zod';
import { OBJECT_TARGETS } from '../domain/point.ts';
import { settingsSchema } from '../domain/project.ts';
import { DEFAULT_TEAM } from '../domain/team.ts';
import { teamInputSchema } from '../domain/team-presets.ts';
import { BUCKET_SETTINGS } from './bucket-settings.ts';
import { setting } from './setting.ts';

const path = z.string().min(1).max(4096);
const MB = 1_000_000;

/** Every setting by its name in the files; docs/config.md says the same. */
export const SETTINGS = {
  data_dir: setting({
    schema: path,
    default: 'data',
    form: 'path',
    env: 'DEVLOOP_DATA_DIR',
    flag: '--data',
    doc: 'The folder that holds the projects.',
  }),
  host: setting({
    schema: z.string().regex(/^[0-9A-Za-z.:-]{1,253}$/, 'must be an address or a host name'),
    default: '127.0.0.1',
    form: 'text',
    env: 'DEVLOOP_HOST',
    flag: '--host',
    doc: 'The address that the server listens on. Any other than loopback needs a token that you set.',
  }),
  port: setting({
    schema: z.int().min(0).max(65_535),
    default: 3010,
    form: 'number',
    env: 'DEVLOOP_PORT',
    flag: '--port',
    doc: 'The port that the server listens on; 0 picks a free one.',
  }),
  token: setting({
    schema: z.string().regex(/^[\x21-\x7e]{1,512}$/, 'must be 1 to 512 visible ASCII characters'),
    default_text: 'made at the first start, in `.devloop/token` of the data folder',
    form: 'text',
    env: 'DEVLOOP_TOKEN',
    doc: 'What a client must show to be served.',
    secret: true,
    personal: true,
  }),
  hosts: setting({
    schema: z.array(z.string().regex(/^[0-9A-Za-z.:[\]-]{1,260}$/, 'must be host:port')),
    default: [],
    form: 'lines',
    env: 'DEVLOOP_HOSTS',
    doc: 'Further values of the Host header that are served, each with its port.',
    personal: true,
  }),
  origins: setting({
    schema: z.array(z.string().regex(/^https?:\/\/[^/\s]+$/, 'must be scheme://host[:port]')),
    default: [],
    form: 'lines',
    env: 'DEVLOOP_ORIGINS',
    doc: 'Origins of other sites whose pages may call the server.',
    personal: true,
  }),
  log_level: setting({
    schema: z.enum(['debug', 'info', 'warn', 'error', 'silent']),
    default: 'info',
    form: 'text',
    env: 'DEVLOOP_LOG_LEVEL',
    flag: '--log-level',
    doc: 'What is logged to stderr: this level and above.',
  }),
  sandbox: setting({
    schema: z.enum(['auto', 'required', 'off']),
    default: 'auto',
    form: 'text',
    env: 'DEVLOOP_SANDBOX',
    flag: '--sandbox',
    doc: 'Whether programs of agents run confined: where the system can, always or not at all, never.',
    personal: true,
  }),
  sandbox_readable: setting({
    schema: z.array(path.regex(/^\//, 'must be an absolute path')),
    default: [],
    form: 'lines',
    env: 'DEVLOOP_SANDBOX_READABLE',
    doc: 'Folders that confined programs see, read-only, although they lie in a hidden one such as your home: where agents are installed.',
    personal: true,
  }),
  team: setting({
    schema: teamInputSchema,
    default: DEFAULT_TEAM,
    form: 'json',
    env: 'DEVLOOP_TEAM',
    doc: 'Which driver works for each role in projects that name no team of their own.',
  }),
  recovery_policy: setting({
    schema: settingsSchema.shape.recovery.unwrap().shape.policy.unwrap(),
    default: 'ask',
    form: 'text',
    env: 'DEVLOOP_RECOVERY_POLICY',
    doc: 'What is done with files that a killed server left uncommitted, in projects that do not say.',
  }),
  max_file_bytes: setting({
    schema: z.int().min(1000),
    default: 50 * MB,
    form: 'number',
    env: 'DEVLOOP_MAX_FILE_BYTES',
    doc: 'Larger files are left out of commits, and named.',
  }),
  state_dir: setting({
    schema: path,
    default_text: '`$XDG_STATE_HOME/devloop`, else `~/.local/state/devloop`',
    form: 'path',
    env: 'DEVLOOP_STATE_DIR',
    doc: 'The folder that holds the history of workspaces.',
    personal: true,
  }),
  snapshot_enabled: setting({
    schema: z.boolean(),
    default: true,
    form: 'boolean',
    env: 'DEVLOOP_SNAPSHOT_ENABLED',
    doc: 'Whether turns in workspaces are protected by points.',
    personal: true,
  }),
  snapshot_max: setting({
    schema: z.int().min(1).max(100_000),
    default: 50,
    form: 'number',
    env: 'DEVLOOP_SNAPSHOT_MAX',
    doc: 'How many turns of a workspace are kept.',
    personal: true,
  }),
  snapshot_max_age_days: setting({
    schema: z.number().positive(),
    default_text: 'none',
    form: 'number',
    env: 'DEVLOOP_SNAPSHOT_MAX_AGE_DAYS',
    doc: 'Older points are dropped, in workspaces whose own settings do not say.',
    personal: true,
  }),
  snapshot_max_total_bytes: setting({
    schema: z.int().min(1),
    default_text: 'none',
    form: 'number',
    env: 'DEVLOOP_SNAPSHOT_MAX_TOTAL_BYTES',
    doc: 'What all histories together may have on this disk: `devloop protect prune all` drops the oldest points until they have no more.',
    personal: true,
  }),
  snapshot_exclude: setting({
    schema: z.array(z.string().max(4096)),
    default: [],
    form: 'lines',
    env: 'DEVLOOP_SNAPSHOT_EXCLUDE',
    doc: 'Further patterns of files that points leave out.',
    personal: true,
  }),
  snapshot_include: setting({
    schema: z.array(z.string().max(4096)),
    default: [],
    form: 'lines',
    env: 'DEVLOOP_SNAPSHOT_INCLUDE',
    doc: 'Patterns of files that points hold although they would be left out.',
    personal: true,
  }),
  snapshot_large_file_bytes: setting({
    schema: z.int().min(1),
    default: 10 * 1024 * 1024,
    form: 'number',
    env: 'DEVLOOP_SNAPSHOT_LARGE_FILE_BYTES',
    doc: 'Files of this size and more are kept beside the points, by their content.',
    personal: true,
  }),
  objects: setting({
    schema: z.enum(OBJECT_TARGETS),
    default: 'folder',
    form: 'text',
    env: 'DEVLOOP_OBJECTS',
    doc: 'Where new workspaces keep their large files: in the folder of their history, or in the bucket.',
    personal: true,
  }),
  ...BUCKET_SETTINGS,
} as const;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

type Optional =
  | 'token'
  | 'snapshot_max_age_days'
  | 'snapshot_max_total_bytes'
  | Exclude<keyof typeof BUCKET_SETTINGS, 'bucket_region'>;
type ValueOf<Name extends SettingName> = z.output<(typeof SETTINGS)[Name]['schema']>;

/** The values; paths are absolute. Token, bucket and credentials are absent where nobody set them. */
export type Settings = { readonly [Name in Exclude<SettingName, Optional>]: ValueOf<Name> } & {
  readonly [Name in Optional]?: ValueOf<Name>;
};
