import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { publint } from 'publint';
import { bareEnvironment, ROOT } from '../support/running-server.ts';

describe('the package', () => {
  const home = mkdtempSync(join(tmpdir(), 'devloop-package-'));
  const modules = join(home, 'app', 'node_modules');
  const installed = join(modules, 'devloop');
  const node = (argv: readonly string[], cwd = join(home, 'app')) =>
    spawnSync(process.execPath, argv, { cwd, encoding: 'utf8', env: bareEnvironment(home) });
  before(() => {
    const npm = {
      cwd: ROOT,
      encoding: 'utf8' as const,
      env: { ...bareEnvironment(home), PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    };
    execFileSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs')], { stdio: 'inherit' });
    execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', home], npm);
    const [tarball = ''] = readdirSync(home).filter((name) => name.endsWith('.tgz'));
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', join(home, tarball), '-C', installed, '--strip-components=1']);
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: object };
    for (const name of [...Object.keys(dependencies), '@types/node', '@types/express', 'undici-types']) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
    }
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  it('runs nothing when it is installed, and holds no source, test or data', () => {
    const { scripts } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) assert.equal(scripts[name], undefined);
    assert.deepEqual(readdirSync(installed).sort(), ['README.md', 'bin', 'dist', 'docs', 'package.json', 'templates']);
  });

  it('has no fault that publint knows', async () => {
    const { messages } = await publint({ pkgDir: installed, strict: true, pack: false });
    assert.deepEqual(
      messages.filter(({ type }) => type !== 'suggestion'),
      [],
    );
  });

  it('takes a requirement through the whole loop in an empty home', () => {
    const ran = node([join(installed, 'bin', 'devloop.mjs'), 'demo', '--json']);
    assert.equal(ran.status, 0, ran.stderr);
    assert.equal(JSON.parse(ran.stdout).status, 'shipped');
  });

  it('refuses an older Node with a hint', () => {
    const old = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"20.11.1"}})';
    const ran = node(['--import', old, join(installed, 'bin', 'devloop.mjs'), '--help']);
    assert.equal(ran.status, 1);
    assert.match(ran.stderr, /needs Node 22\.18 or newer; this is 20\.11\.1/);
  });

  it('is a library with types: the loop, and the vault alone', () => {
    const app = join(home, 'app');
    writeFileSync(join(app, 'package.json'), '{"type": "module"}');
    writeFileSync(join(app, 'use.ts'), USE);
    writeFileSync(
      join(app, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'es2024',
          strict: true,
          noEmit: true,
          skipLibCheck: false,
          types: ['node'],
        },
        files: ['use.ts'],
      }),
    );
    const checked = node([join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.']);
    assert.equal(checked.status, 0, checked.stdout);
    const ran = node(['--disable-warning=ExperimentalWarning', 'use.ts']);
    assert.equal(ran.status, 0, ran.stderr);
    assert.match(ran.stdout, /^[0-9a-f]{40}\n$/);
  });
});

const USE = `import { join } from 'node:path';
import { DevLoopError, openApp, type AppOptions } from 'devloop';
import { DEVLOOP, openDataFolder, openGitVault, parseCompanyId, parseProjectId, ProjectFolders } from 'devloop/git-vault';

const dataDir = join(import.meta.dirname, 'vault-data');
const folder = openDataFolder(dataDir, { onLost: () => process.exit(1) });
const folders = new ProjectFolders({ dataDir, templates: import.meta.dirname });
const pid = parseProjectId('p-library');
await folders.create(parseCompanyId('default'), pid);
const vault = openGitVault({
  locate: (wanted) => folders.locate(wanted),
  settings: { max_file_bytes: 50_000_000, now: () => new Date() },
});
await folders.write(pid, 'hello.txt', 'hello');
const { head } = await vault.init(pid, {
  kind: 'init', subject: 'init: by hand', author: DEVLOOP, trailers: [], files: ['**'], key: 'first', onEmpty: 'throw',
});
process.stdout.write(head + '\\n');
await vault.close();
folder.release();
if (!(new DevLoopError('busy', 'x') instanceof Error) || typeof openApp !== 'function') process.exit(1);
const _options: Partial<AppOptions> = { dataDir };
`;
