import { join } from 'node:path';
import type { HostilePlace } from '../hostile-place.ts';
import type { Trap } from '../trap.ts';

/** What an environment that the server was started in could bring; `!` stands for the payload. */
const VARIABLES: Readonly<Record<string, string>> = {
  GIT_DIR: '!.elsewhere',
  GIT_WORK_TREE: '/',
  GIT_INDEX_FILE: '!.index',
  GIT_OBJECT_DIRECTORY: '!.objects',
  GIT_ALTERNATE_OBJECT_DIRECTORIES: '!.objects',
  GIT_CONFIG_GLOBAL: '!.config',
  GIT_CONFIG_PARAMETERS: "'core.fsmonitor'='!'",
  GIT_EXTERNAL_DIFF: '!',
  GIT_PAGER: '!',
  GIT_EDITOR: '!',
  GIT_SSH_COMMAND: '!',
  GIT_ASKPASS: '!',
  GIT_EXEC_PATH: '!.exec',
  GIT_TEMPLATE_DIR: '!.template',
  GIT_TRACE: '!.trace',
  GIT_NAMESPACE: 'elsewhere',
  GIT_CEILING_DIRECTORIES: '',
  LD_PRELOAD: '!.so',
  PAGER: '!',
};

export const ENVIRONMENT_TRAPS: readonly Trap[] = Object.entries(VARIABLES).map(([name, value]) =>
  environmentTrap(name, value),
);

function environmentTrap(name: string, value: string): Trap {
  const before = process.env[name];
  return {
    name: `${name} in the environment`,
    where: 'environment',
    plant: ({ payload }: HostilePlace) => {
      process.env[name] = value.replace('!', join(payload));
    },
    lift: () => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    },
  };
}
