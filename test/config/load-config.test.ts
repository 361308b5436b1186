import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  type Config,
  type ConfigInput,
  loadConfig,
  SETTING_NAMES,
  SETTINGS,
  shownConfig,
  withoutCredentials,
} from '../../server/config/index.ts';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const CREDENTIALS = {
  bucket_access_key_id: 'id',
  bucket_secret_access_key: 'key',
  bucket_session_token: 'token',
};

interface Place {
  readonly cwd: string;
  readonly home: string;
  load(input?: Partial<ConfigInput>): Config;
  /** What is wrong, as `setting where: message`. */
  faults(input?: Partial<ConfigInput>): readonly string[];
  project(content: unknown): void;
  user(content: unknown): void;
}

const inPlace = (use: (place: Place) => void) =>
  inTempFolder((folder) => {
    const [cwd, home] = [join(folder, 'work'), join(folder, 'home')];
    mkdirSync(cwd);
    mkdirSync(join(home, '.config/devloop'), { recursive: true });
    const text = (content: unknown) => (typeof content === 'string' ? content : JSON.stringify(content));
    const load = ({ env, ...rest }: Partial<ConfigInput> = {}) =>
      loadConfig({ flags: {}, cwd, env: { HOME: home, ...env }, ...rest });
    use({
      cwd,
      home,
      load,
      faults: (input) => {
        try {
          load(input);
        } catch (error) {
          if (!isDevLoopError(error, 'config_invalid')) throw error;
          const { faults } = error.data as { faults: { setting: string; where: string; message: string }[] };
          for (const { message } of faults) assert.ok(error.message.includes(message));
          return faults.map(({ setting, where, message }) => `${setting} ${where}: ${message}`);
        }
        return [];
      },
      project: (content) => writeFileSync(join(cwd, '.devlooprc.json'), text(content)),
      user: (content) => writeFileSync(join(home, '.config/devloop/config.json'), text(content)),
    });
  });

describe('the settings', () => {
  it('are the defaults where nobody set any, with absolute paths', () =>
    inPlace(({ cwd, home, load }) => {
      const { settings, origin } = load();
      assert.equal(settings.port, 3010);
      assert.equal(settings.host, '127.0.0.1');
      assert.equal(settings.data_dir, join(cwd, 'data'));
      assert.equal(settings.state_dir, join(home, '.local/state/devloop'));
      assert.equal(settings.token, undefined);
      assert.deepEqual(settings.team, { default: { driver: 'recorded' } });
      for (const name of SETTING_NAMES) assert.deepEqual(origin[name], { source: 'default' });
    }));

  it('come from flag, then environment, then the folder, then the person, then the default', () =>
    inPlace(({ cwd, home, load, project, user }) => {
      user({ port: 4 });
      const own = join(home, '.config/devloop/config.json');
      assert.deepEqual([load().settings.port, load().origin.port], [4, { source: 'user_file', where: own }]);
      project({ port: 3 });
      const rc = join(cwd, '.devlooprc.json');
      assert.deepEqual([load().settings.port, load().origin.port], [3, { source: 'project_file', where: rc }]);
      const env = { DEVLOOP_PORT: '2' };
      const byEnv = load({ env });
      assert.deepEqual([byEnv.settings.port, byEnv.origin.port], [2, { source: 'env', where: 'DEVLOOP_PORT' }]);
      const byFlag = load({ env, flags: { port: '1' } });
      assert.deepEqual([byFlag.settings.port, byFlag.origin.port], [1, { source: 'flag', where: '--port' }]);
    }));

  it('are read from text in each form', () =>
    inPlace(({ load }) => {
      const { settings } = load({
        env: {
          DEVLOOP_SNAPSHOT_ENABLED: '0',
          DEVLOOP_SNAPSHOT_EXCLUDE: '*.tmp\n\n/big dir/\n',
          DEVLOOP_MAX_FILE_BYTES: '2000',
          DEVLOOP_TEAM: '{"default":{"driver":"recorded","recording":"todo"}}',
          DEVLOOP_TOKEN: '12345678901234567890',
        },
      });
      assert.equal(settings.snapshot_enabled, false);
      assert.deepEqual(settings.snapshot_exclude, ['*.tmp', '/big dir/']);
      assert.equal(settings.max_file_bytes, 2000);
      assert.deepEqual(settings.team.default, { driver: 'recorded', recording: 'todo' });
      assert.equal(settings.token, '12345678901234567890');
      assert.equal(load({ env: { DEVLOOP_PORT: '' } }).settings.port, 3010);
    }));

  it('take a relative path from where it was written', () =>
    inPlace(({ cwd, home, load, project, user }) => {
      assert.equal(load({ env: { DEVLOOP_DATA_DIR: 'x' } }).settings.data_dir, join(cwd, 'x'));
      assert.equal(load({ flags: { data_dir: '../y' } }).settings.data_dir, join(cwd, '../y'));
      user({ data_dir: 'z' });
      assert.equal(load().settings.data_dir, join(home, '.config/devloop/z'));
      project({ data_dir: '/abs' });
      assert.equal(load().settings.data_dir, '/abs');
    }));

  it("find the person's folders by the XDG rules", () =>
    inPlace(({ home, load }) => {
      mkdirSync(join(home, 'xdg/devloop'), { recursive: true });
      writeFileSync(join(home, 'xdg/devloop/config.json'), '{"port":5}');
      const env = { XDG_CONFIG_HOME: join(home, 'xdg'), XDG_STATE_HOME: join(home, 'state') };
      assert.equal(load({ env }).settings.port, 5);
      assert.equal(load({ env }).settings.state_dir, join(home, 'state/devloop'));
      assert.equal(load({ env: { XDG_CONFIG_HOME: 'relative' } }).settings.port, 3010);
    }));

  it('report every fault at once, each with its place', () =>
    inPlace(({ cwd, home, faults, project, user }) => {
      project({ port: 'http', nonsense: 1 });
      user('{"port": ');
      const found = faults({
        env: { DEVLOOP_LOG_LEVEL: 'loud', DEVLOOP_SNAPSHOT_ENABLED: 'maybe' },
        flags: { host: 'a b' },
      });
      const places = found.map((fault) => fault.slice(0, fault.indexOf(': ')));
      const rc = join(cwd, '.devlooprc.json');
      const own = join(home, '.config/devloop/config.json');
      assert.deepEqual(
        places.sort(),
        [
          `${own} ${own}`,
          'host --host',
          'log_level DEVLOOP_LOG_LEVEL',
          `nonsense ${rc}`,
          `port ${rc}`,
          'snapshot_enabled DEVLOOP_SNAPSHOT_ENABLED',
        ].sort(),
      );
    }));

  it('name the member that is wrong within a setting', () =>
    inPlace(({ faults }) => {
      const [fault = ''] = faults({ env: { DEVLOOP_TEAM: '{"default":{"driver":"model","model":"m"}}' } });
      assert.match(fault, /^team\.default\.base_url DEVLOOP_TEAM: /);
    }));

  it('are refused from files that are no JSON object, or cannot be read', () =>
    inPlace(({ cwd, faults, project }) => {
      for (const content of ['[1]', 'null', '', '"x"', `{"x":"${'x'.repeat(1_000_001)}"}`]) {
        project(content);
        assert.equal(faults().length, 1, content.slice(0, 20));
      }
      project('{}');
      assert.deepEqual(faults(), []);
      mkdirSync(join(cwd, 'sub/.devlooprc.json'), { recursive: true });
      assert.match(faults({ cwd: join(cwd, 'sub') })[0] ?? '', /EISDIR/);
      assert.deepEqual(faults({ cwd: join(cwd, 'none') }), []);
    }));

  it('do not let the folder loosen the bounds of the agents that work in it', () =>
    inPlace(({ faults, project, user }) => {
      const personal = {
        token: '12345678901234567890',
        sandbox: 'off',
        sandbox_readable: ['/'],
        hosts: ['evil:1'],
        origins: ['https://evil'],
        state_dir: '/tmp/x',
        snapshot_enabled: false,
        snapshot_max: 1,
        snapshot_max_age_days: 1,
        snapshot_max_total_bytes: 1,
        snapshot_exclude: ['*'],
        snapshot_include: ['*'],
        snapshot_large_file_bytes: 1,
        objects: 'bucket',
        bucket_url: 'https://evil/bucket',
        bucket_region: 'there',
      };
      project({ ...personal, ...CREDENTIALS });
      const names = [...Object.keys(personal), ...Object.keys(CREDENTIALS)].sort();
      assert.equal(faults().length, names.length);
      assert.deepEqual(names, SETTING_NAMES.filter((name) => SETTINGS[name].personal).sort());
      project({});
      user(personal);
      assert.deepEqual(faults(), []);
    }));

  it('take credentials of a bucket from the environment only, and from there alone', () =>
    inPlace(({ faults, user, load }) => {
      user(CREDENTIALS);
      assert.deepEqual(
        faults().map((line) => line.split(' ')[0]),
        Object.keys(CREDENTIALS),
      );
      user({});
      const env = { DEVLOOP_BUCKET_ACCESS_KEY_ID: 'id', DEVLOOP_BUCKET_SECRET_ACCESS_KEY: 'geheim', OTHER: 'x' };
      assert.equal(load({ env }).settings.bucket_secret_access_key, 'geheim');
      assert.deepEqual(withoutCredentials(env), { OTHER: 'x' });
      for (const wrong of ['two words', 'line\n', 'ümlaut']) {
        assert.equal(faults({ env: { DEVLOOP_BUCKET_SESSION_TOKEN: wrong } }).length, 1, wrong);
      }
    }));

  it('take the plain address of a bucket, and no other', () =>
    inPlace(({ faults, load }) => {
      const of = (url: string) => ({ env: { DEVLOOP_BUCKET_URL: url } });
      for (const good of ['https://s3.example.org/bucket', 'http://127.0.0.1:9000/b'])
        assert.equal(load(of(good)).settings.bucket_url, good);
      for (const bad of ['bucket', 'ftp://x/b', 'https://a:b@x/b', 'https://x/b?c', 'https://x/b#c', 's3://bucket'])
        assert.ok(faults(of(bad)).length > 0, bad);
    }));

  it('are no members that every object has', () =>
    inPlace(({ faults, project }) => {
      project('{"__proto__":{"port":1},"constructor":1,"toString":2}');
      assert.equal(faults().length, 3);
    }));

  it('are shown with their origin, and without secrets', () =>
    inPlace(({ load }) => {
      const shown = shownConfig(load({ env: { DEVLOOP_TOKEN: 'geheim-geheim-geheim', DEVLOOP_PORT: '1' } }));
      assert.equal(JSON.stringify(shown).includes('geheim'), false);
      const byName = Object.fromEntries(shown.map((one) => [one.name, one]));
      assert.deepEqual(byName.port, {
        name: 'port',
        value: 1,
        origin: { source: 'env', where: 'DEVLOOP_PORT' },
        env: 'DEVLOOP_PORT',
        flag: '--port',
        doc: SETTINGS.port.doc,
      });
      assert.equal(byName.token?.value, '(set)');
      assert.equal('value' in (shownConfig(load()).find(({ name }) => name === 'token') ?? {}), false);
    }));
});
