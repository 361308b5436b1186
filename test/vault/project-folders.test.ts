import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { parseCompanyId, parseProjectId } from '../../server/domain/ids.ts';
import type { ProjectsPort } from '../../server/loop/ports.ts';
import { COMPANY, PROJECT, projectFolders } from '../support/project-folders.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const OTHER = parseCompanyId('other');
const conflictOf =
  (...paths: readonly string[]) =>
  (error: unknown) =>
    isDevLoopError(error, 'conflict') && paths.every((path) => error.message.includes(path));

describe('the projects of a data folder', () => {
  it('are none where nothing is there', () =>
    inTempFolder(async (data) => {
      const projects: ProjectsPort = projectFolders(data);
      assert.deepEqual(await projects.list(), []);
      assert.equal(await projects.find(PROJECT), undefined);
    }));

  it('are created, found, listed by another process, and removed with what the server kept for them', () =>
    inTempFolder(async (data) => {
      const projects = projectFolders(data);
      const place = await projects.create(COMPANY, PROJECT);
      assert.equal(place.root, join(data, 'companies/default/projects', PROJECT));
      assert.deepEqual(readdirSync(place.root).sort(), ['agent-state', 'history']);
      assert.ok(existsSync(place.state));
      assert.deepEqual(await projectFolders(data).list(), [place]);
      assert.deepEqual(await projectFolders(data).find(PROJECT), place);
      await projects.remove(PROJECT);
      assert.equal(existsSync(place.root) || existsSync(place.state), false);
      assert.equal(await projects.find(PROJECT), undefined);
      assert.deepEqual(readdirSync(join(data, '.devloop/gone')), []);
    }));

  it('are folders with the name of an id: neither links nor files nor other names', () =>
    inTempFolder(async (data) => {
      const place = await projectFolders(data).create(COMPANY, PROJECT);
      const folder = join(place.root, '..');
      symlinkSync(PROJECT, join(folder, 'p-link'));
      writeFileSync(join(folder, 'p-file'), '');
      mkdirSync(join(folder, 'Not-An-Id'));
      mkdirSync(join(data, 'companies', '.hidden', 'projects', 'p-bbbbbbbb'), { recursive: true });
      writeFileSync(join(data, 'companies', 'file'), '');
      const projects = projectFolders(data);
      assert.deepEqual(await projects.list(), [place]);
      assert.equal(await projects.find(parseProjectId('p-link')), undefined);
    }));

  it('are refused with both paths where one is in two companies', () =>
    inTempFolder(async (data) => {
      const place = await projectFolders(data).create(COMPANY, PROJECT);
      const copy = join(data, 'companies/other/projects', PROJECT);
      cpSync(place.root, copy, { recursive: true });
      const projects = projectFolders(data);
      await assert.rejects(projects.list(), conflictOf(place.root, copy));
      await assert.rejects(projects.find(PROJECT), conflictOf(place.root, copy));
    }));

  it('are refused with both paths where a folder holds a copy of another project', () =>
    inTempFolder(async (data) => {
      const projects = projectFolders(data);
      const place = await projects.create(COMPANY, PROJECT);
      await projects.write(PROJECT, 'project.json', JSON.stringify({ pid: PROJECT }));
      const copy = join(place.root, '..', 'p-copy');
      cpSync(place.root, copy, { recursive: true });
      await assert.rejects(projectFolders(data).list(), conflictOf(place.root, copy));
      await assert.rejects(projectFolders(data).find(parseProjectId('p-copy')), conflictOf(place.root, copy));
      assert.deepEqual(await projectFolders(data).find(PROJECT), place);
    }));

  it('are listed though a project.json is damaged', () =>
    inTempFolder(async (data) => {
      const projects = projectFolders(data);
      const place = await projects.create(COMPANY, PROJECT);
      for (const text of ['{', '[]', '{"pid":7}', '{"pid":"../x"}', 'x'.repeat(2_000_000)]) {
        writeFileSync(join(place.root, 'project.json'), text);
        assert.deepEqual(await projectFolders(data).list(), [place]);
      }
    }));

  it('cannot be created twice, in any company, or beside the state of one whose folder was deleted', () =>
    inTempFolder(async (data) => {
      const projects = projectFolders(data);
      const place = await projects.create(COMPANY, PROJECT);
      await assert.rejects(projects.create(COMPANY, PROJECT), conflictOf(place.root));
      await assert.rejects(projects.create(OTHER, PROJECT), conflictOf(place.root));
      writeFileSync(join(place.state, 'journal.ndjson'), '');
      rmSync(place.root, { recursive: true });
      await assert.rejects(projects.create(COMPANY, PROJECT), conflictOf(place.state));
    }));

  it('are noticed to be gone where a person deleted or moved the folder meanwhile', () =>
    inTempFolder(async (data) => {
      const projects = projectFolders(data);
      const place = await projects.create(COMPANY, PROJECT);
      const moved = join(data, 'companies/other/projects', PROJECT);
      mkdirSync(join(moved, '..'), { recursive: true });
      renameSync(place.root, moved);
      assert.equal((await projects.find(PROJECT))?.root, moved);
      rmSync(moved, { recursive: true });
      assert.equal(await projects.find(PROJECT), undefined);
      const gone = (error: unknown) => isDevLoopError(error, 'project_not_found');
      await assert.rejects(projects.remove(PROJECT), gone);
      await assert.rejects(projects.read(PROJECT, 'file', 1), gone);
      await assert.rejects(projects.write(PROJECT, 'file', ''), gone);
      await assert.rejects(projects.append(PROJECT, 'file', ''), gone);
    }));

  it('are whole again after a kill in the middle of a creation or a deletion', () =>
    inTempFolder(async (data) => {
      const projects = projectFolders(data);
      const place = await projects.create(COMPANY, PROJECT);
      const gone = join(data, '.devloop/gone');
      mkdirSync(gone);
      mkdirSync(join(data, '.devloop/new/p-bbbbbbbb/agent-state'), { recursive: true });
      mkdirSync(join(place.state, 'stage'));
      await projects.sweep();
      assert.deepEqual(await projects.list(), [place]);
      assert.deepEqual(readdirSync(place.state), []);
      renameSync(place.root, join(gone, `default~${PROJECT}~0`));
      mkdirSync(join(gone, `default~${PROJECT}~0.0abc`));
      await projects.sweep();
      assert.deepEqual(readdirSync(gone), []);
      assert.equal(existsSync(place.state), false);
      assert.equal(existsSync(join(data, '.devloop/new')), false);
      await projects.sweep();
    }));

  it('say that the system refuses to make one', () =>
    inTempFolder(async (data) => {
      writeFileSync(join(data, 'companies'), '');
      await assert.rejects(projectFolders(data).create(COMPANY, PROJECT), /EEXIST|ENOTDIR/);
      assert.deepEqual(await projectFolders(data).list(), []);
    }));
});

describe("a project's files", () => {
  const inProject = (use: (projects: ReturnType<typeof projectFolders>, root: string) => Promise<void>) =>
    inTempFolder(async (data) => {
      const projects = projectFolders(data);
      await use(projects, (await projects.create(COMPANY, PROJECT)).root);
    });

  it('are written whole, appended to and read, under names in any script', () =>
    inProject(async (projects, root) => {
      await projects.write(PROJECT, 'sdd/größe/日本.html', 'a');
      await projects.append(PROJECT, 'sdd/größe/日本.html', 'b');
      assert.equal(readFileSync(join(root, 'sdd/größe/日本.html'), 'utf8'), 'ab');
      assert.deepEqual(await projects.read(PROJECT, 'sdd/größe/日本.html', 2), Buffer.from('ab'));
      assert.equal(await projects.read(PROJECT, 'none', 2), undefined);
    }));

  it('are never reached through a link, and never read over their limit', () =>
    inProject(async (projects, root) => {
      symlinkSync('/etc', join(root, 'prd'));
      writeFileSync(join(root, 'large'), 'xxx');
      const refused = (error: unknown) => isDevLoopError(error, 'path_refused') && error.data.path !== undefined;
      await assert.rejects(projects.read(PROJECT, 'prd/passwd', 9999), refused);
      await assert.rejects(projects.write(PROJECT, 'prd/prd.md', ''), refused);
      await assert.rejects(projects.append(PROJECT, '../../x', ''), refused);
      await assert.rejects(projects.read(PROJECT, 'large', 2), (error) => isDevLoopError(error, 'validation_failed'));
    }));

  it('are ignored by git as the template says', () =>
    inProject(async (projects) => {
      assert.match(await projects.ignoreTemplate(), /^\/stream\.log$/m);
    }));
});
