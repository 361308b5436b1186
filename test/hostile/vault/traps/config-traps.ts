import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rawRepository } from '../../../support/raw-git.ts';
import type { HostilePlace } from '../hostile-place.ts';
import type { Trap } from '../trap.ts';

/** Settings by which git runs something, reads or writes elsewhere, or shows something else. `!` stands for the payload. */
const SETTINGS: Readonly<Record<string, string>> = {
  'alias.log': '!!',
  'alias.status': '!!',
  'browser.x.cmd': '!',
  'commit.gpgSign': 'true',
  'core.alternateRefsCommand': '!',
  'core.askPass': '!',
  'core.attributesFile': '!.attributes',
  'core.bigFileThreshold': '1',
  'core.editor': '!',
  'core.excludesFile': '/dev/zero',
  'core.fsmonitor': '!',
  'core.gitProxy': '!',
  'core.hooksPath': '!.hooks',
  'core.pager': '!',
  'core.repositoryFormatVersion': '99',
  'core.sparseCheckout': 'true',
  'core.splitIndex': 'true',
  'core.sshCommand': '!',
  'core.worktree': '/',
  'credential.helper': '!!',
  'diff.external': '!',
  'diff.x.command': '!',
  'diff.x.textconv': '!',
  'difftool.x.cmd': '!',
  'extensions.objectFormat': 'sha256',
  'extensions.partialClone': 'origin',
  'extensions.refStorage': 'reftable',
  'extensions.worktreeConfig': 'true',
  'filter.x.clean': '!',
  'filter.x.process': '!',
  'filter.x.smudge': '!',
  'gc.pruneExpire': 'now',
  'gpg.program': '!',
  'gpg.ssh.program': '!',
  'init.templateDir': '!.template',
  'interactive.diffFilter': '!',
  'log.showSignature': 'true',
  'maintenance.strategy': 'incremental',
  'merge.x.driver': '!',
  'mergetool.x.cmd': '!',
  'pack.packSizeLimit': '1',
  'pager.diff': '!',
  'pager.log': '!',
  'pager.show': '!',
  'protocol.ext.allow': 'always',
  'receive.procReceiveRefs': 'refs',
  'remote.origin.receivepack': '!',
  'remote.origin.uploadpack': '!',
  'remote.origin.url': 'ext::!',
  'remote.origin.vcs': 'ext',
  'sequence.editor': '!',
  'submodule.x.update': '!!',
  'tag.gpgSign': 'true',
  'tar.tar.command': '!',
  'tar.tar.gz.command': '!',
  'tar.tgz.command': '!',
  'tar.umask': '0777',
  'tar.zip.command': '!',
  'trailer.x.command': '!',
  'transfer.hideRefs': 'refs',
  'uploadpack.packObjectsHook': '!',
  'url.ext::!.insteadOf': 'https://',
  'web.browser': 'x',
};

const ATTRIBUTES = '* filter=x diff=x merge=x export-ignore export-subst ident text eol=crlf\n';

/** The settings, each in `.git` and in a repository among the files, and all of them together in every form that a file of settings has. */
export const CONFIG_TRAPS: readonly Trap[] = [
  ...Object.entries(SETTINGS).flatMap(([key, value]): readonly Trap[] => [
    {
      name: `setting ${key} in .git`,
      where: 'git',
      plant: (place) => plantIn(place, place.gitDir, section(place, key, value)),
    },
    {
      name: `setting ${key} in a nested repository`,
      where: 'nested',
      plant: (place) => plantIn(place, nested(place), section(place, key, value)),
    },
  ]),
  { name: 'all settings by an include', where: 'git', plant: (place) => include(place, '[include]') },
  {
    name: 'all settings by a conditional include',
    where: 'git',
    plant: (place) => include(place, '[includeIf "gitdir:/"]'),
  },
  {
    name: 'all settings for the worktree',
    where: 'git',
    plant: (place) => {
      appendFileSync(join(place.gitDir, 'config'), '[extensions]\n\tworktreeConfig = true\n');
      writeFileSync(join(place.gitDir, 'config.worktree'), all(place));
    },
  },
  {
    name: 'a damaged file of settings',
    where: 'git',
    plant: (place) => writeFileSync(join(place.gitDir, 'config'), '[core\n\0\xff'),
  },
  {
    name: 'all settings in a nested repository',
    where: 'nested',
    plant: (place) => plantIn(place, nested(place), all(place)),
  },
];

function plantIn(place: HostilePlace, gitDir: string, text: string): void {
  appendFileSync(join(gitDir, 'config'), text);
  writeFileSync(`${place.payload}.attributes`, ATTRIBUTES);
  writeFileSync(join(place.root, 'units/a/.gitattributes'), ATTRIBUTES);
  mkdirSync(`${place.payload}.hooks`, { recursive: true });
  for (const hook of ['post-commit', 'reference-transaction', 'post-index-change']) {
    writeFileSync(join(`${place.payload}.hooks`, hook), `#!/bin/sh\nexec '${place.payload}'\n`, { mode: 0o755 });
  }
}

function include(place: HostilePlace, header: string): void {
  writeFileSync(join(place.root, 'included'), all(place));
  plantIn(place, place.gitDir, `${header}\n\tpath = ${join(place.root, 'included')}\n`);
}

function all(place: HostilePlace): string {
  return Object.entries(SETTINGS)
    .map(([key, value]) => section(place, key, value))
    .join('');
}

/** `!!` is how git is told that a value is a shell command. */
function section({ payload }: HostilePlace, key: string, value: string): string {
  const put = (text: string): string => text.replace('!!', `!${payload}`).replace(/(?<!^)!|^!(?!\/)/, payload);
  const parts = put(key).split('.');
  const [name, last] = [parts.shift(), parts.pop()];
  return `[${name}${parts.length > 0 ? ` "${parts.join('.')}"` : ''}]\n\t${last} = "${put(value)}"\n`;
}

function nested({ root }: HostilePlace): string {
  const folder = join(root, 'units/a/code/nested');
  const git = rawRepository(folder);
  writeFileSync(join(folder, 'inner'), 'inner');
  git('add', '.');
  git('commit', '-qm', 'inner');
  return join(folder, '.git');
}
