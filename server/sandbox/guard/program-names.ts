/** The base name of a program, in lower case and without a Windows ending. */
export function programName(path: string): string {
  return path
    .slice(path.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\.exe$/, '');
}

/** True for git, its parts, and programs that only drive it. */
export function isGit(path: string): boolean {
  const name = programName(path);
  return name === 'git' || /^git-[a-z-]+$/.test(name) || GIT_FRONTS.has(name);
}

/** True for a path that leads to such a program, not only to something called git. */
export function isGitProgram(path: string): boolean {
  return /(?:^|\/)(?:s?bin|git-core|libexec|shims)\/[^/]+$/.test(path) && isGit(path);
}

const GIT_FRONTS = new Set(['gitk', 'gitui', 'tig', 'lazygit', 'hub', 'gh', 'glab', 'scalar', 'jj', 'git-lfs']);

/** What follows `git` where it is run. */
export const GIT_COMMANDS = new Set(
  'add am apply archive bisect blame branch bundle checkout cherry-pick clean clone commit config describe diff fetch fsck gc grep init log merge mv notes pull push rebase reflog remote repack replace reset restore revert rm show stash status submodule switch tag update-ref worktree'.split(
    ' ',
  ),
);

export const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'ash', 'rbash', 'fish']);

/** Interpreters, and the options that give them code on the command line. */
export const INTERPRETERS: ReadonlyMap<string, RegExp> = new Map([
  ['node', /^(?:-e|-p|-pe|--eval|--print)(?:=|$)/],
  ['nodejs', /^(?:-e|-p|-pe|--eval|--print)(?:=|$)/],
  ['bun', /^(?:-e|-p|--eval|--print)(?:=|$)/],
  ['deno', /^eval$/],
  ['python', /^-[A-Za-z]*c/],
  ['perl', /^-[A-Za-z0]*[eE]/],
  ['ruby', /^-[A-Za-z0]*e/],
  ['php', /^-(?:r|B|R|E|-run)/],
  ['lua', /^-e/],
  ['tclsh', /^-c$/],
  ['rscript', /^-e$/],
  ['osascript', /^-e$/],
  ['gdb', /^(?:-ex|-eval-command|--eval-command)(?:=|$)/],
  ['expect', /^-c$/],
]);

/** Programs that run another one, given after their options; the value tells which options take a value of their own. */
export const WRAPPERS: ReadonlyMap<string, RegExp> = new Map([
  ['env', /^(?:-[uC]|--unset|--chdir)$/],
  ['exec', /^-a$/],
  ['builtin', /^$/],
  ['nohup', /^$/],
  ['setsid', /^$/],
  ['time', /^(?:-[fo]|--format|--output)$/],
  ['timeout', /^(?:-[ks]|--kill-after|--signal)$/],
  ['nice', /^(?:-n|--adjustment)$/],
  ['ionice', /^-[cnp]$/],
  ['chrt', /^-[TPD]$/],
  ['taskset', /^$/],
  ['stdbuf', /^(?:-[ioe]|--input|--output|--error)$/],
  ['unbuffer', /^$/],
  ['sudo', /^(?:-[ugpCDRThrt]|--user|--group|--prompt)$/],
  ['doas', /^-[uC]$/],
  ['runuser', /^(?:-[ugG]|--user|--group)$/],
  ['setpriv', /^$/],
  ['chroot', /^$/],
  ['unshare', /^-[RwSG]$/],
  ['nsenter', /^(?:-[tSG]|--target|--setuid|--setgid)$/],
  ['bwrap', /^$/],
  ['fakeroot', /^-[lsib]$/],
  ['proot', /^-[rbqwv]$/],
  ['strace', /^-[aeEIoOpPsSuUX]$/],
  ['ltrace', /^-[aAeFlnopsuwx]$/],
  ['valgrind', /^$/],
  ['perf', /^-[eo]$/],
  ['catchsegv', /^$/],
  ['chronic', /^$/],
  ['busybox', /^$/],
  ['toybox', /^$/],
  ['npx', /^(?:-p|--package)$/],
  ['pnpx', /^$/],
  ['bunx', /^$/],
  ['xvfb-run', /^-[efnps]$/],
  ['coproc', /^$/],
  ['setarch', /^$/],
  ['linux64', /^$/],
  ['prlimit', /^$/],
  ['cgexec', /^-g$/],
  ['xargs', /^(?:-[adEILnPs]|--arg-file|--delimiter|--replace|--max-args|--max-procs)$/],
  ['parallel', /^(?:-[jSaIN]|--jobs|--colsep)$/],
]);

/** Programs that start others later or elsewhere, where nobody looks. */
export const DETACHED = new Set([
  'at',
  'batch',
  'crontab',
  'systemd-run',
  'tmux',
  'screen',
  'dtach',
  'daemonize',
  'start-stop-daemon',
]);

/** Programs that take words for what they are: they may be told of git. */
export const TALKERS = new Set(
  'echo printf grep egrep fgrep rg ag ack ls stat file test [ [[ which whereis type man info apropos cat head tail less more wc sort uniq cut tr tee diff cmp basename dirname realpath readlink cd mkdir rmdir touch rm find fd tree du df apt apt-get apt-cache dpkg brew dnf yum apk pacman npm pnpm yarn pip pgrep ps export read let cal date true false : return exit'.split(
    ' ',
  ),
);
