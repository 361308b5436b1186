import { Readable } from 'node:stream';
import { type BytePath, bytePathFromLatin1, bytePathFromText, pathText } from '../../../server/domain/byte-path.ts';
import type { Attempt, CommitInfo, TagInfo } from '../../../server/domain/commit.ts';
import { DevLoopError } from '../../../server/domain/errors.ts';
import type { FindingKey } from '../../../server/domain/finding.ts';
import {
  type Oid,
  type ProjectId,
  parseOid,
  parseRescueId,
  parseUnitId,
  type UnitId,
} from '../../../server/domain/ids.ts';
import { parseRemoteName, parseRemoteUrl, type Remote } from '../../../server/domain/remote.ts';
import { ROLE_IDENTITY } from '../../../server/domain/roles.ts';
import type {
  BisectSearch,
  ListedFinding,
  LogQuery,
  RevertOutcome,
  UploadPackRequest,
  VaultService,
} from '../../../server/http/services.ts';
import type { LoopService } from '../../../server/loop/index.ts';

const oid = (i: number): Oid => parseOid(i.toString(16).padStart(40, '0'));

/** A repository of ten commits, made up; unknown revisions are not found. */
export class FakeVault implements VaultService {
  readonly asked: unknown[] = [];
  /** What no reset or restore brings back. */
  readonly left: { readonly path: BytePath; readonly reason: string }[] = [];
  readonly tags: TagInfo[] = [
    { name: 'prd-rev-1', sha: oid(2), message: 'prd: rev 1', ts: '2026-01-01T00:00:02Z' },
    { name: 'sdd-rev-1', sha: oid(3), message: 'sdd: rev 1', ts: '2026-01-01T00:00:03Z' },
  ];
  readonly files = new Map<BytePath, Uint8Array>([
    [bytePathFromText('prd/prd.md'), new TextEncoder().encode('# 待办事项\n')],
    [bytePathFromText('sdd/index.html'), new TextEncoder().encode('<script>alert(1)</script>')],
    [bytePathFromLatin1('units/\xff\xfe.bin'), Uint8Array.of(0, 1, 2, 255)],
  ]);
  readonly finding: ListedFinding = {
    blob: oid(8),
    rule: 'github',
    path: bytePathFromLatin1('units/\xff/config.js'),
    line: 3,
    commit: oid(3),
    open: true,
  };
  readonly added: Remote[] = [{ name: 'forge', url: 'ssh://git@forge.example/todo.git' }];
  /** What maintenance takes off the list. */
  readonly expired: string[] = [];
  snapshot = 's-1';
  revertOutcome: RevertOutcome = { kind: 'reverted', sha: oid(11) };
  archiveStream: () => Readable = () => Readable.from([Buffer.from('archive '), Buffer.from('bytes')]);
  packStream: () => Readable = () => Readable.from([Buffer.from('pack')]);
  readonly loop: LoopService;

  constructor(loop: LoopService) {
    this.loop = loop;
  }

  async log(pid: ProjectId, query: LogQuery) {
    await this.know(pid, 'log', query);
    const from = Number(query.cursor ?? 0);
    const items = COMMITS.slice(from, from + query.limit);
    return from + query.limit < COMMITS.length ? { items, next: String(from + query.limit) } : { items };
  }
  async show(pid: ProjectId, rev: string) {
    await this.know(pid, 'show', rev);
    const commit = this.find(rev);
    return {
      commit,
      files: [{ path: bytePathFromText('prd/prd.md'), change: 'added' as const, additions: 1, deletions: 0 }],
    };
  }
  async tree(pid: ProjectId, rev: string, folder: BytePath) {
    await this.know(pid, 'tree', { rev, folder });
    this.find(rev);
    return [...this.files].map(([path, content]) => ({
      path,
      kind: 'file' as const,
      oid: oid(99),
      size: content.length,
    }));
  }
  async readFile(pid: ProjectId, rev: string, path: BytePath) {
    await this.know(pid, 'readFile', { rev, path });
    this.find(rev);
    const content = this.files.get(path);
    if (content === undefined) throw new DevLoopError('not_found', `${pathText(path).path} is not in ${rev}.`);
    return { oid: oid(99), content };
  }
  async diff(pid: ProjectId, ends: { readonly from: string; readonly to: string; readonly path?: BytePath }) {
    await this.know(pid, 'diff', ends);
    this.find(ends.from);
    this.find(ends.to);
    const patch = new TextEncoder().encode(
      'diff --git a/prd/prd.md b/prd/prd.md\n--- a/prd/prd.md\n+++ b/prd/prd.md\n@@ -1 +1 @@\n-a\n+b\n',
    );
    return {
      patch,
      files: [{ path: bytePathFromText('prd/prd.md'), change: 'modified' as const, additions: 1, deletions: 1 }],
    };
  }
  async listTags(pid: ProjectId) {
    await this.know(pid, 'listTags', undefined);
    return this.tags;
  }
  async tag(pid: ProjectId, name: string, options: { readonly ref: string; readonly message?: string }) {
    await this.know(pid, 'tag', { name, ...options });
    if (this.tags.some((tag) => tag.name === name)) throw new DevLoopError('tag_exists', `The tag ${name} exists.`);
    if (!/^[A-Za-z][\w.-]*$/.test(name)) throw new DevLoopError('ref_invalid', 'The tag name is not valid.');
    return { name, sha: this.find(options.ref).sha };
  }
  async attempts(pid: ProjectId, unit?: UnitId): Promise<readonly Attempt[]> {
    await this.know(pid, 'attempts', unit);
    return [1, 2].map((attempt) => ({
      unit: unit ?? parseUnitId('store'),
      round: 1,
      attempt,
      verdict: 'red',
      ref: `refs/devloop/attempts/${unit}/1/${attempt}`,
      sha: oid(50 + attempt),
      parent: oid(3),
    }));
  }
  async statusDiff(pid: ProjectId) {
    await this.know(pid, 'statusDiff', undefined);
    return {
      patch: new TextEncoder().encode('diff --git a/prd/prd.md b/prd/prd.md\n'),
      files: [{ path: bytePathFromText('prd/prd.md'), change: 'modified' as const, additions: 0, deletions: 0 }],
    };
  }

  async status(pid: ProjectId) {
    await this.know(pid, 'status', undefined);
    return {
      dirty: true,
      files: [{ path: bytePathFromText('a b.txt'), change: 'added' as const }],
      snapshot: this.snapshot,
    };
  }
  async archive(pid: ProjectId, rev: string, options: { readonly format: string; readonly prefix?: string }) {
    const { format, prefix } = options;
    await this.know(pid, 'archive', { rev, format, prefix });
    this.find(rev);
    return this.archiveStream();
  }
  async bundle(pid: ProjectId) {
    await this.know(pid, 'bundle', undefined);
    return Readable.from([Buffer.from('# v2 git bundle\n')]);
  }
  async rescues(pid: ProjectId) {
    await this.know(pid, 'rescues', undefined);
    return [1, 2].map((i) => ({
      id: parseRescueId(`r${i}`),
      sha: oid(i),
      reason: 'reset',
      ts: `2026-01-0${i}T00:00:00Z`,
      files: i,
    }));
  }
  async restoreRescue(pid: ProjectId, id: string) {
    await this.know(pid, 'restoreRescue', id);
    if (!['r1', 'r2'].includes(id)) throw new DevLoopError('ref_not_found', `There is no rescue ${id}.`);
    return { rescue: parseRescueId('r3'), left: this.left };
  }
  async resetWorkingTree(pid: ProjectId, options: { readonly ref: string; readonly reason: string }) {
    await this.know(pid, 'reset', options);
    this.find(options.ref);
    return { rescue: parseRescueId('r3'), left: this.left };
  }
  async revert(pid: ProjectId, rev: string) {
    await this.know(pid, 'revert', rev);
    this.find(rev);
    return this.revertOutcome;
  }
  async bisect(pid: ProjectId, { good, bad, check }: BisectSearch) {
    await this.know(pid, 'bisect', { good, bad, check });
    return { first_bad: this.find(bad), tried: [{ sha: this.find(good).sha, verdict: 'good' as const }] };
  }
  async uploadPack(pid: ProjectId, request: UploadPackRequest) {
    await this.know(
      pid,
      'uploadPack',
      request.kind === 'exchange' ? Buffer.from(request.body).toString() : request.kind,
    );
    return this.packStream();
  }
  async manifest(pid: ProjectId, rev: string) {
    await this.know(pid, 'manifest', rev);
    const files = [...this.files].map(([path, { length }]) => ({
      path,
      kind: 'file' as const,
      size: length,
      sha256: 'f'.repeat(64),
    }));
    return { commit: this.find(rev).sha, tree: oid(98), files };
  }
  async findings(pid: ProjectId) {
    await this.know(pid, 'findings', undefined);
    const left = { blob: oid(9), path: bytePathFromText('film.mp4'), commit: oid(3), reason: 'too_large' as const };
    return { findings: [this.finding], not_scanned: [left] };
  }
  async allowFinding(pid: ProjectId, key: FindingKey) {
    await this.know(pid, 'allow', key);
    if (key.blob !== this.finding.blob) throw new DevLoopError('not_found', 'No such finding.');
    return { ...this.finding, open: false };
  }
  async verify(pid: ProjectId, _signal: AbortSignal): Promise<{ readonly problems: readonly string[] }> {
    await this.know(pid, 'verify', undefined);
    return { problems: [] };
  }

  async remotes(pid: ProjectId) {
    await this.know(pid, 'remotes', undefined);
    return this.added;
  }
  async addRemote(pid: ProjectId, { name, url }: Remote) {
    await this.know(pid, 'addRemote', name);
    const remote = { name: parseRemoteName(name), url: parseRemoteUrl(url) };
    this.added.push(remote);
    return remote;
  }
  async push(pid: ProjectId, { signal: _signal, ...options }: Parameters<VaultService['push']>[1]) {
    await this.know(pid, 'push', options);
    if (!this.added.some(({ name }) => name === options.remote)) throw new DevLoopError('not_found', 'No such remote.');
    return [{ ref: `refs/heads/${options.branch}`, outcome: 'made' as const }];
  }
  async maintain(pid: ProjectId) {
    await this.know(pid, 'maintain', undefined);
    return { packed: true, expired: this.expired };
  }

  private async know(pid: ProjectId, verb: string, what: unknown) {
    await this.loop.project(pid);
    this.asked.push([verb, what]);
  }
  private find(rev: string): CommitInfo {
    const tag = this.tags.find(({ name }) => name === rev)?.sha;
    const found = COMMITS.find(({ sha, refs }) => sha === (tag ?? rev) || refs.includes(rev));
    if (found !== undefined) return found;
    throw new DevLoopError('ref_not_found', `There is no revision ${rev}.`);
  }
}

const COMMITS: readonly CommitInfo[] = Array.from({ length: 10 }, (_, i) => ({
  sha: oid(10 - i),
  parents: i === 9 ? [] : [oid(9 - i)],
  subject: `commit ${10 - i}`,
  author: ROLE_IDENTITY.coder,
  ts: new Date(Date.parse('2026-01-01T00:00:00Z') + (10 - i) * 1000).toISOString(),
  trailers: { 'DevLoop-Call': `c-${10 - i}` },
  refs: i === 0 ? ['HEAD', 'main'] : [],
}));
