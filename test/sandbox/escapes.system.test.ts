import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { MARKER_VARIABLE } from '../../server/io/end-processes.ts';
import { processHasVariable, processTable } from '../../server/io/process-table.ts';
import { type ConfinedProject, confinedProject } from './confined-project.ts';

/** Shell scripts that print SECRET or ESCAPED where they get what they must not; `$SCRATCH` and `$ROOT` are host paths. */
const ESCAPES: Readonly<Record<string, string>> = {
  'read the token': 'cat "$SCRATCH/data/.devloop/token"',
  'read a neighbour project': 'cat "$SCRATCH"/data/companies/default/projects/p-2/project.json',
  'list the data folder':
    'ls "$SCRATCH/data/.devloop" && echo ESCAPED; ls "$ROOT/.." | grep -v "^p-1$" && echo ESCAPED',
  "read the person's home": 'cat "$SCRATCH/home/.ssh/id_ed25519"',
  'see what others leave in the temporary folders':
    'ls /tmp /var/tmp /dev/shm /run | grep -q "canary-$CANARY" && echo ESCAPED',
  'read .git': 'cat "$ROOT/.git/HEAD"; ls -A "$ROOT/.git" | grep . && echo ESCAPED',
  'write into .git': 'echo x > "$ROOT/.git/config" && echo ESCAPED; mkdir "$ROOT/.git/hooks" && echo ESCAPED',
  'replace .git': 'rm -rf "$ROOT/.git"; mv "$ROOT/.git" /tmp/g && echo ESCAPED; rmdir "$ROOT/.git" && echo ESCAPED',
  'read a ledger': 'cat "$ROOT/timeline.ndjson"',
  'append to a ledger': 'echo forged >> "$ROOT/timeline.ndjson"',
  'write a file of the server':
    'echo x > "$ROOT/project.json" && echo ESCAPED; rm "$ROOT/project.json" && echo ESCAPED',
  'make a file in the project': 'touch "$ROOT/new" && echo ESCAPED; mkdir "$ROOT/units/new" && echo ESCAPED',
  "write another unit's code": 'echo x > "$ROOT/units/other/code/a.js" && echo ESCAPED',
  "write its unit's log and results":
    'echo x >> coder.log && echo ESCAPED; echo x > runs/r-1/result.json && echo ESCAPED; rm -rf runs; mv runs r2 && echo ESCAPED',
  'move its own folder away':
    'mv "$ROOT/units/todo" "$ROOT/units/moved" && echo ESCAPED; mv "$ROOT/units" "$ROOT/u" && echo ESCAPED',
  'write outside': 'for f in /etc /usr/bin /var /opt /; do touch "$f/escaped-$CANARY" && echo ESCAPED; done',
  'write through a link':
    'ln -s "$ROOT/project.json" l; echo x > l && echo ESCAPED; ln -s "$SCRATCH/data/.devloop" d; cat d/token',
  'write through a hard link':
    'ln "$ROOT/project.json" h && echo x > h && echo ESCAPED; ln "$ROOT/units/other/code/a.js" h2 && echo ESCAPED',
  'write through a moved folder':
    'mkdir m && mv m "$TMPDIR/m" && ln -s "$ROOT/units/other" "$TMPDIR/m/o" && echo x > "$TMPDIR/m/o/code/a.js" && echo ESCAPED',
  'make a read-only file writable':
    'chmod 777 "$ROOT/project.json" && echo ESCAPED; chown 1000 "$ROOT/project.json" && echo ESCAPED',
  'end the server': 'kill -9 "$SERVER" && echo ESCAPED; kill -9 -1',
  'look at the server':
    'tr "\\0" "\\n" < "/proc/$SERVER/environ" && echo ESCAPED; ls "/proc/$SERVER/root" && echo ESCAPED',
  'see processes of the host': '[ "$(ls /proc | grep -c "^[0-9]")" -gt 12 ] && echo ESCAPED',
  'leave its root through /proc':
    'cat "/proc/1/root$SCRATCH/data/.devloop/token"; cat "/proc/self/root$SCRATCH/home/.ssh/id_ed25519"; ls /proc/1/cwd/../../../.devloop',
  'use descriptors that were left open':
    'ls -l /proc/self/fd | grep -E " ([3-9]|[0-9]{2,}) -> " | grep -v -e " /dev/null$" -e "/fd$" && echo ESCAPED',
  'mount read-only folders anew':
    'mount -o remount,rw / && echo ESCAPED; mount -o remount,rw,bind "$ROOT" && echo ESCAPED',
  'take covers away':
    'umount "$ROOT/.git" && echo ESCAPED; umount -l "$SCRATCH/data" && echo ESCAPED; umount -l /tmp && echo ESCAPED',
  'mount things of its own':
    'mount -t tmpfs none "$TMPDIR" && echo ESCAPED; mount --bind / "$TMPDIR" && echo ESCAPED; mount -t proc proc "$TMPDIR" && echo ESCAPED',
  'make a user namespace':
    'unshare -U true && echo ESCAPED; unshare -Urm sh -c "umount -l $SCRATCH/data; cat $SCRATCH/data/.devloop/token"',
  'make other namespaces':
    'unshare -m true && echo ESCAPED; unshare -n true && echo ESCAPED; unshare -p -f true && echo ESCAPED',
  'enter namespaces': 'nsenter -t 1 -m -p true && echo ESCAPED; nsenter --target "$SERVER" --all true && echo ESCAPED',
  'start a sandbox in the sandbox':
    'bwrap --bind / / true && echo ESCAPED; bwrap --unshare-user --bind / / true && echo ESCAPED',
  'change its root': 'mkdir -p c && chroot c true && echo ESCAPED; chroot / true && echo ESCAPED',
  'make devices':
    'mknod "$TMPDIR/d" b 8 0 && echo ESCAPED; mknod "$TMPDIR/m" c 1 1 && echo ESCAPED; ls /dev/sda /dev/vda /dev/mem /dev/kmsg && echo ESCAPED',
  'set the kernel':
    'for f in kernel/core_pattern kernel/hostname vm/swappiness net/ipv4/ip_forward; do v=$(cat /proc/sys/$f); echo "$v" > /proc/sys/$f && echo ESCAPED; done; echo h > /proc/sysrq-trigger && echo ESCAPED',
  'set devices and groups of the kernel':
    'mkdir "/sys/fs/cgroup/escaped-$CANARY" && echo ESCAPED; f=/sys/kernel/mm/transparent_hugepage/khugepaged/defrag; v=$(cat $f); echo "$v" > $f && echo ESCAPED',
  'gain rights by a program of root':
    '[ "$(grep NoNewPrivs /proc/self/status | cut -f2)" = 1 ] || echo ESCAPED; grep -q "CapEff:.*[1-9a-f]" /proc/self/status && echo ESCAPED',
  'run the real git by its path':
    '/usr/bin/git --version && echo ESCAPED; git --version && echo ESCAPED; PATH=/usr/bin git init g && echo ESCAPED',
};

/** The same in Node, where a shell has no word for it. */
const NETWORK: Readonly<Record<string, string>> = {
  "talk to the server on the host's loopback": "connect({ host: '127.0.0.1', port: Number(process.env.SERVER_PORT) })",
  'reach the network': "connect({ host: '192.0.2.1', port: 80 })",
  'talk to an abstract socket of the host': "connect({ path: '\\0canary-' + process.env.CANARY })",
  'talk to a socket in the file system': 'connect({ path: process.env.SOCKET })',
};

const canary = randomBytes(6).toString('hex');
const canaryFiles = ['/tmp', '/var/tmp', '/dev/shm'].map((folder) => join(folder, `canary-${canary}`));
before(() => {
  for (const path of canaryFiles) writeFileSync(path, 'SECRET');
  return () => canaryFiles.map((path) => rmSync(path, { force: true }));
});

const variables = (project: ConfinedProject) => ({
  SCRATCH: project.scratch,
  ROOT: project.root,
  SERVER: String(process.pid),
  CANARY: canary,
});

for (const [name, script] of Object.entries(ESCAPES)) {
  test(`a confined program cannot ${name}`, async (t) => {
    const project = await confinedProject(t);
    const { stdout, stderr } = await project.run(['sh', '-c', script], variables(project));
    assert.doesNotMatch(stdout, /SECRET|ESCAPED/, stderr);
    assert.deepEqual(project.changed(), []);
    assert.ok(!existsSync(join(project.root, 'new')) && !existsSync(`/etc/escaped-${canary}`));
  });
}

for (const [name, attempt] of Object.entries(NETWORK)) {
  test(`a confined program cannot ${name}`, async (t) => {
    const project = await confinedProject(t);
    const server = createServer((socket) => socket.end('SECRET'));
    server.listen(0, '127.0.0.1');
    const local = createServer((socket) => socket.end('SECRET')).listen(join(project.scratch, 'data/.devloop/socket'));
    const abstract = createServer((socket) => socket.end('SECRET')).listen(`\0canary-${canary}`);
    await Promise.all([server, local, abstract].map((one) => once(one, 'listening')));
    t.after(() => [server, local, abstract].map((one) => one.close()));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const script = `require('node:net').${attempt}.on('error', () => process.exit(0)).on('data', (text) => console.log('ESCAPED', String(text)))`;
    const extra = { SERVER_PORT: String(port), SOCKET: join(project.scratch, 'data/.devloop/socket') };
    const { stdout, ended } = await project.run(['node', '-e', script], { ...variables(project), ...extra });
    assert.deepEqual([stdout, ended], ['', 'exit']);
  });
}

test('a confined program can do its work: read the project, write its unit, use its loopback and its home', async (t) => {
  const project = await confinedProject(t);
  const script = `
    const { readFileSync, writeFileSync } = require('node:fs');
    writeFileSync('code/a.js', readFileSync(process.env.ROOT + '/units/other/code/a.js') + ' and mine');
    writeFileSync(process.env.HOME + '/notes', 'x'); writeFileSync(process.env.TMPDIR + '/x', 'x');
    require('node:http').createServer((q, r) => r.end('served')).listen(0, '127.0.0.1', async function () {
      console.log(await (await fetch('http://127.0.0.1:' + this.address().port)).text()); process.exit(7);
    });`;
  const result = await project.run(['node', '-e', script], variables(project));
  assert.deepEqual([result.stdout, result.exit_code, result.stderr], ['served\n', 7, '']);
  assert.deepEqual(project.changed(), ['project/units/todo/code/a.js']);
});

test('its environment has nothing but what it was given', async (t) => {
  const project = await confinedProject(t);
  const { stdout } = await project.run([
    'sh',
    '-c',
    'tr "\\0" "\\n" < /proc/1/environ | cut -d= -f1 | sort | tr "\\n" " "',
  ]);
  assert.equal(stdout.trim(), `CI ${MARKER_VARIABLE} HOME LANG NO_COLOR PATH TMPDIR npm_config_update_notifier`);
});

test('a link planted where a bound is to be refuses the start, and nothing is made behind it', async (t) => {
  const project = await confinedProject(t);
  const outside = join(project.scratch, 'outside');
  mkdirSync(outside);
  for (const path of ['.git', 'units/todo/runs', 'units/todo']) {
    rmSync(join(project.root, path), { recursive: true });
    symlinkSync(outside, join(project.root, path));
    assert.throws(() => project.confine(['true']), { code: 'path_refused' }, path);
    assert.deepEqual(readdirSync(outside), []);
  }
});

test('a bound that is not there leaves nothing behind on the host', async (t) => {
  const project = await confinedProject(t);
  rmSync(join(project.root, '.git'), { recursive: true });
  assert.equal(
    (await project.run(['sh', '-c', 'ls -A .. ; touch "$ROOT/.git"'], variables(project))).stdout,
    'other\ntodo\n',
  );
  assert.deepEqual(
    [existsSync(join(project.root, '.git')), existsSync(join(project.root, 'units/todo/absent'))],
    [false, false],
  );
});

test('nothing of a confined call is left when it has ended, whatever it started', async (t) => {
  const project = await confinedProject(t);
  const result = await project.run([
    'sh',
    '-c',
    'setsid sh -c "trap : TERM; sleep 60" & nohup sleep 60 & setsid env -i /bin/sleep 60 & echo up',
  ]);
  assert.deepEqual([result.stdout, result.ended, result.survivors], ['up\n', 'exit', []]);
});

test('nothing is left when the server is killed while a confined call runs', async (t) => {
  const project = await confinedProject(t);
  const marker = randomBytes(16).toString('hex');
  const { argv, env } = project.confine(['sh', '-c', 'setsid sleep 60 & echo up; sleep 60']);
  const script = `
    const child = require('node:child_process').spawn(process.argv[1], JSON.parse(process.argv[2]), { env: JSON.parse(process.argv[3]), detached: true, stdio: ['ignore', 'inherit', 'ignore'] });
    setInterval(() => {}, 1000);`;
  const given = [argv[0] ?? '', JSON.stringify(argv.slice(1)), JSON.stringify({ ...env, [MARKER_VARIABLE]: marker })];
  const server = spawn(process.execPath, ['-e', script, ...given], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(server.stdout, 'data');
  const marked = () => processTable().filter(({ pid }) => processHasVariable(pid, `${MARKER_VARIABLE}=${marker}`));
  assert.ok(marked().length > 0);
  server.kill('SIGKILL');
  await once(server, 'exit');
  const deadline = Date.now() + 5_000;
  while (marked().length > 0 && Date.now() < deadline) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(marked(), []);
});
