import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hasCode } from '../io/io-error.ts';
import { runProcess } from '../io/run-process.ts';
import type { Confinement } from './reader-process.ts';
import { UnreadError } from './unread-error.ts';

export interface OfficeRun {
  /** Absolute path of the folder with the document, without links. */
  readonly folder: string;
  /** Name of the document in it; a PDF of its pages takes its place. */
  readonly file: string;
  /** Absolute path of LibreOffice's program; absent where the system has none. */
  readonly office: string | undefined;
  readonly sandbox: Confinement;
  readonly signal?: AbortSignal | undefined;
}

const LIMITS = { wall_ms: 90_000, data_kb: 4_000_000, output_bytes: 1 << 20 } as const;
const LIMITED = 'ulimit -d "$1"; ulimit -c 0; shift; exec "$@"';

/** Nothing that a document names is opened, and no macro runs. */
const SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${['BlockUntrustedRefererLinks', 'DisableMacrosExecution', 'DisableActiveContent']
  .map(
    (name) =>
      `<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="${name}" oor:op="fuse"><value>true</value></prop></item>`,
  )
  .join('\n')}
</oor:items>
`;

/** Makes a PDF of a document's slides or pages by the system's LibreOffice, in the sandbox only: by itself it opens what a document names. Throws UnreadError. */
export async function officePages({ folder, file, office, sandbox, signal }: OfficeRun): Promise<void> {
  if (office === undefined)
    throw new UnreadError('unsupported', 'LibreOffice, which draws its pages, is not installed');
  if (!sandbox.layers.includes('bubblewrap')) {
    throw new UnreadError(
      'unsupported',
      'its pages are drawn by LibreOffice, in the sandbox only, which does not work here',
    );
  }
  const own = join(folder, `office-${file}`);
  const settings = join(own, 'profile', 'user');
  await mkdir(settings, { recursive: true });
  await writeFile(join(settings, 'registrymodifications.xcu'), SETTINGS);
  const argv = [
    ...['/bin/sh', '-c', LIMITED, 'sh', `${LIMITS.data_kb}`, office, '--headless', '--norestore', '--nolockcheck'],
    ...[
      `-env:UserInstallation=${pathToFileURL(join(own, 'profile')).href}`,
      '--convert-to',
      'pdf',
      '--outdir',
      own,
      join(folder, file),
    ],
  ];
  const result = await runProcess({
    argv: sandbox.confine({ argv, cwd: own, root: folder, writable: [own], protected: [], hidden: [], network: 'own' }),
    cwd: own,
    env: { PATH: sandbox.path, HOME: own, TMPDIR: own, LANG: 'C.UTF-8' },
    marker: randomBytes(16).toString('hex'),
    limits: { wall_ms: LIMITS.wall_ms, output_bytes: LIMITS.output_bytes, grace_ms: 0 },
    ...(signal !== undefined && { signal }),
  });
  signal?.throwIfAborted();
  if (result.ended === 'wall') throw new UnreadError('timeout', 'drawing its pages took too long');
  try {
    await rename(join(own, `${file}.pdf`), join(folder, file));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    throw new UnreadError('damaged', 'LibreOffice makes no pages of it', { cause: error });
  }
}
