import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Comparer } from '../../server/compare/index.ts';
import { changesOf } from '../support/documents/changes-of.ts';
import { odfOf, page } from '../support/documents/odf-of.ts';
import { zipOf } from '../support/documents/zip-of.ts';
import { plainComparer } from '../support/plain-comparer.ts';
import { readZip } from '../support/read-zip.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Run by name: it needs LibreOffice and the package registry. The files are of public packages under free licences.
const PACKAGES = ['mammoth@1.13.0', 'docx4js@3.3.0', 'pptx2json@0.0.10', 'pdf-parse@1.1.1'];
const EDITED = 'Edited';

const folder = tempFolder();
const comparer: Comparer = plainComparer(folder.path);
const compare = async (old: Buffer, now: Buffer) =>
  (await comparer.compare({ path: 'x', before: async () => old, after: async () => now })).comparison;
after(() => folder.remove());

describe('documents of other packages’ tests', () => {
  const place = join(folder.path, 'packages');
  mkdirSync(place);
  for (const name of PACKAGES) {
    const file = execFileSync('npm', ['pack', name, '--silent'], { cwd: place, encoding: 'utf8' }).trim();
    mkdirSync(join(place, name));
    execFileSync('tar', ['xzf', file, '-C', join(place, name)], { cwd: place });
  }
  const files = globSync('*/**/*.{docx,pptx,xlsx,pdf}', { cwd: place }).sort();

  it('there are as many as there were', () => assert.equal(files.length, 27));

  for (const name of files) {
    it(`${name}: a word that is another one is the difference`, async () => {
      const bytes = readFileSync(join(place, name));
      const other =
        extname(name) === '.pdf' ? Buffer.concat([bytes, Buffer.from('\n% more\n')]) : withAnotherWord(bytes);
      const found = await compare(bytes, other ?? zipOf({ x: 'no document' }));
      if (name.endsWith('03-invalid.pdf')) assert.ok(found.kind === 'binary' && found.why === 'damaged');
      else if (found.kind === 'pdf') assert.deepEqual([found.sections, found.pictures], [[], []]);
      else if (other === undefined) assert.ok(found.kind === 'binary');
      else {
        assert.ok(found.kind === 'document', JSON.stringify(found));
        const changes = changesOf(found.sections);
        // A text that is shared by cells changes each of them.
        assert.ok(changes.length >= 1 && changes.length < 10, changes.join('\n'));
        for (const line of changes) assert.ok(line.includes(`{+${EDITED}`), line);
      }
    });
  }
});

/** The package with the first word of its main text changed; undefined where it has none. */
function withAnotherWord(bytes: Buffer): Buffer | undefined {
  const files = Object.fromEntries(readZip(bytes).map(({ name, content }) => [name.toString(), content]));
  const part =
    Object.keys(files).find((name) => /(word\/document\d*|slides\/slide1|sharedStrings)\.xml$/.test(name)) ?? '';
  const text = String(files[part] ?? '');
  const edited = text.replace(/(<(?:\w+:)?t(?: [^>]*)?>[^<A-Za-z]*)[A-Za-z]+/, `$1${EDITED}`);
  return edited === text ? undefined : zipOf({ ...files, [part]: edited });
}

const PAGES = {
  plain: ['<h1>Report</h1><p>The quick brown fox.</p>', 'brown', 'red'],
  chinese: ['<p>第一季度的收入增长了百分之十。</p><p>另一段。</p>', '增长', '下降'],
  arabic: ['<p dir="rtl">مرحبا بالعالم الكبير</p>', 'الكبير', 'الصغير'],
  table: [
    '<table border="1"><tr><td>north</td><td>south</td></tr><tr><td colspan="2">merged cell</td></tr></table>',
    'merged',
    'joined',
  ],
  list: ['<ul><li>milk and honey</li><li>bread</li></ul><p>End &amp; out.</p>', 'honey', 'sugar'],
} as const;

describe('documents that LibreOffice made', () => {
  const place = join(folder.path, 'office');
  before(() => {
    for (const side of ['before', 'after'] as const) {
      mkdirSync(join(place, side), { recursive: true });
      const put = (name: string, content: string | Buffer) => writeFileSync(join(place, side, name), content);
      for (const [name, [html, old, now]] of Object.entries(PAGES)) {
        put(`${name}.html`, `<meta charset="utf-8">${side === 'before' ? html : html.replace(old, now)}`);
      }
      put('cells.csv', `name,amount\nann,${side === 'before' ? 12 : 13}\n`);
      const deck = [
        page(['First slide', 'a point'], 'say hello'),
        page(['Last slide', side === 'before' ? 'old words' : 'new words']),
      ];
      put('deck.odp', odfOf('presentation', deck.join('')));
      convert(side, 'odt:writer8', `${side}/*.html`, '--infilter=HTML (StarWriter)');
      for (const format of ['docx', 'rtf', 'pdf']) convert(side, format, `${side}/*.odt`);
      for (const format of ['xlsx', 'ods']) convert(side, format, `${side}/cells.csv`);
      convert(side, 'pptx', `${side}/deck.odp`);
      convert(side, 'pdf', `${side}/deck.odp`);
    }
  });
  function convert(side: string, format: string, files: string, ...more: readonly string[]): void {
    const profile = `-env:UserInstallation=file://${place}/profile`;
    const argv = ['--headless', profile, ...more, '--convert-to', format, '--outdir', side];
    execFileSync('soffice', [...argv, ...globSync(files, { cwd: place })], {
      cwd: place,
      stdio: 'ignore',
      timeout: 180_000,
    });
  }
  const difference = async (name: string) => {
    const [old, now] = ['before', 'after'].map((side) => readFileSync(join(place, side, name))) as [Buffer, Buffer];
    const found = await compare(old, now);
    assert.ok(found.kind === 'document' || found.kind === 'pdf', JSON.stringify(found));
    return changesOf(found.sections);
  };

  for (const [name, [, old, now]] of Object.entries(PAGES)) {
    for (const format of ['odt', 'docx', 'rtf', 'pdf']) {
      // Without a font for them, the characters are none in a PDF.
      if (name === 'chinese' && format === 'pdf') continue;
      it(`${name}.${format}: the word that changed, and nothing else`, async () => {
        const [change = '', ...others] = await difference(`${name}.${format}`);
        assert.deepEqual(others, []);
        assert.ok(change.includes(`[-${old}-]{+${now}+}`), change);
      });
    }
  }

  for (const format of ['xlsx', 'ods']) {
    it(`cells.${format}: the cell that changed`, async () => {
      assert.deepEqual(await difference(`cells.${format}`), ['cells, B2: [-12-]{+13+}']);
    });
  }

  for (const format of ['odp', 'pptx', 'pdf']) {
    it(`deck.${format}: the slide that changed`, async () => {
      const [change = '', ...others] = await difference(`deck.${format}`);
      assert.deepEqual(others, []);
      assert.match(change, /^(Slide|Page) 2, .*\[-old-\]\{\+new\+\} words$/);
    });
  }

  it('the names of the formats are those of the files', () => {
    const made = globSync('after/*.{docx,odt,rtf,pdf,xlsx,ods,odp,pptx}', { cwd: place }).map((name) => basename(name));
    assert.equal(made.length, 5 * 4 + 2 + 3);
  });
});
