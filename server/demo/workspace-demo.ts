import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { planAnswer } from '../domain/plan-answer.ts';
import { parsePointId } from '../domain/point.ts';
import { openWorkspaces, type Workspace } from '../workspace/index.ts';
import { digestDifference, digestFolder, type FolderDigest } from './folder-digest.ts';
import { editSampleFolder, makeSampleFolder } from './sample-folder.ts';

/** What the demo came to. */
export interface WorkspaceDemo {
  /** Absolute path: `work` is the folder, `state` its history. */
  readonly folder: string;
  readonly workspace: string;
  readonly point: string;
  readonly plan: Readonly<Record<'adds' | 'overwrites' | 'deletes' | 'modes', number>>;
  readonly steps: readonly string[];
  /** What was held against the disk, each with the paths at which it was not so. */
  readonly checks: readonly { readonly claim: string; readonly differs: readonly string[] }[];
  /** True where every check found nothing. */
  readonly equal: boolean;
}

/**
 * Makes a folder, keeps it, edits it, goes back and forth, and holds every byte against what was there.
 * @param folder absolute path of an empty folder
 * @param say is given each step when it is done, as one line
 */
export async function runWorkspaceDemo(folder: string, say: (step: string) => Promise<void>): Promise<WorkspaceDemo> {
  const root = join(folder, 'work');
  mkdirSync(root);
  const steps: string[] = [];
  const step = async (line: string) => {
    steps.push(line);
    await say(line);
  };
  await makeSampleFolder(root);
  const workspace = openDemoWorkspace(folder, root);
  try {
    return { folder, workspace: workspace.id, steps, ...(await story(workspace, step)) };
  } finally {
    await workspace.close();
  }
}

type Story = Pick<WorkspaceDemo, 'point' | 'plan' | 'checks' | 'equal'>;

async function story(workspace: Workspace, step: (line: string) => Promise<void>): Promise<Story> {
  const { root } = workspace;
  const saved = digestFolder(root);
  await step(`folder    ${saved.size} entries: code, a git repository, a document, odd names, a large file`);

  const point = await workspace.takePoint({ reason: 'before the edits' });
  const { counts, left_out, nested } = point;
  await step(`point     ${point.id}: ${counts.files} files, ${counts.links} links, ${counts.bytes} bytes`);
  await step(`left out  ${left_out.map(({ path, reason }) => `${path} (${reason})`).join(', ')}`);
  await step(`inside    ${nested.map((row) => `${row.path}: a ${row.kind} on ${row.branch}, files kept`).join(', ')}`);

  await editSampleFolder(root);
  const edited = digestFolder(root);
  await step(`edits     ${digestDifference(saved, edited).length} entries differ`);

  const view = await workspace.planRestore({ point: point.id });
  const shown = planAnswer(view);
  const plan = {
    adds: shown.adds.length,
    overwrites: shown.overwrites.length,
    deletes: shown.deletes.length,
    modes: shown.modes.length,
  };
  await step(
    `plan      ${Object.entries(plan)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ')}; nothing written`,
  );
  const planned = digestFolder(root);

  const report = await workspace.applyRestore(view.id, view.digest);
  const restored = digestFolder(root);
  await step(`restore   ${report.rows.length} files; the state before is kept as ${report.pre}`);

  await workspace.undoRestore();
  const undone = digestFolder(root);
  await step('undo      the edits are back');

  const differing = new Set((await workspace.changes(parsePointId(point.id), 'now')).map(({ path }) => path));
  await workspace.undoRestore();
  const redone = digestFolder(root);
  await step(`redo      ${differing.size} files went back once more`);

  const { problems } = await workspace.verify();
  const checks = [
    { claim: 'the plan wrote nothing', differs: digestDifference(edited, planned) },
    { claim: 'restored is what was saved, byte for byte', differs: digestDifference(saved, restored, isKept) },
    { claim: 'undone is what was edited, byte for byte', differs: digestDifference(edited, undone) },
    { claim: 'undone twice is what was saved', differs: digestDifference(saved, redone, isKept) },
    { claim: '.git and what is left out were not touched', differs: digestDifference(edited, redone, isLeft) },
    { claim: 'files that did not differ keep their time', differs: rewritten(saved, edited, restored) },
    { claim: 'every point and object of the history is whole', differs: problems },
  ];
  for (const { claim, differs } of checks)
    await step(`check     ${claim}: ${differs.length === 0 ? 'yes' : `NO: ${differs.join(', ')}`}`);
  return { point: point.id, plan, checks, equal: checks.every(({ differs }) => differs.length === 0) };
}

function openDemoWorkspace(folder: string, root: string): Workspace {
  return openWorkspaces({
    stateDir: join(folder, 'state'),
    home: homedir(),
    maxTurns: 50,
    exclude: [],
    include: [],
    largeFileBytes: 10 << 20,
    now: () => new Date(),
  }).open(root);
}

const isLeft = (path: string): boolean => /(^|\/)(\.git|node_modules)(\/|$)/.test(path);
const isKept = (path: string): boolean => !isLeft(path);

/** Files that were the same before and after a restore, and were written all the same. */
function rewritten(saved: FolderDigest, edited: FolderDigest, restored: FolderDigest): readonly string[] {
  return [...saved]
    .filter(
      ([path, { what }]) => edited.get(path)?.what === what && edited.get(path)?.mtime !== restored.get(path)?.mtime,
    )
    .map(([path]) => path);
}
