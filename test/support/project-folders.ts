import { join } from 'node:path';
import { parseCompanyId, parseProjectId } from '../../server/domain/ids.ts';
import { ProjectFolders } from '../../server/vault/project-folders.ts';
import { ROOT } from './running-server.ts';

export const COMPANY = parseCompanyId('default');
export const PROJECT = parseProjectId('p-aaaaaaaa');

export const projectFolders = (dataDir: string): ProjectFolders =>
  new ProjectFolders({ dataDir, templates: join(ROOT, 'templates', 'project') });
