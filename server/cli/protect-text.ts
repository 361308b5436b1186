import type { ProtectAnswer } from './protect-actions.ts';
import { table } from './table.ts';
import { plain } from './terminal.ts';

/** How the answers of `devloop protect` look for people. */
export function protectText(shown: ProtectAnswer): string {
  if ('status' in shown) return statusText(shown.status);
  if ('problems' in shown) {
    return shown.problems.length === 0
      ? `${shown.points} points are whole\n`
      : shown.problems.map((line) => `${plain(line)}\n`).join('');
  }
  if ('purged' in shown) return `${shown.purged.points.length} points are without it now\n`;
  if ('explained' in shown) return explainText(shown.explained);
  if ('pruned' in shown) {
    const { points, bytes_before, bytes_after } = shown.pruned;
    return `${points.length} points dropped, ${bytes_before - bytes_after} bytes freed\n`;
  }
  if ('pruned_all' in shown) {
    const { items, bytes_before, bytes_after } = shown.pruned_all;
    const points = items.reduce((sum, one) => sum + one.points.length, 0);
    return `${points} points of ${items.length} folders dropped, ${bytes_before - bytes_after} bytes freed\n`;
  }
  if ('objects' in shown) return objectsText(shown.objects);
  if ('moved' in shown) {
    const { objects, copied, verified } = shown.moved;
    return `the large files are in ${placeText(objects)}; ${copied} were copied, ${verified} read back\n`;
  }
  if ('settings' in shown) return `${JSON.stringify(shown.settings, undefined, 2)}\n`;
  if ('attached' in shown) return `${shown.attached}: the history goes on in this folder\n`;
  if ('forgotten' in shown) return shown.forgotten === null ? 'nothing was deleted\n' : 'its history is deleted\n';
  return table(
    shown.items.map(({ id, root, name }) => [id, root, name ?? '']),
    'no folder has a history yet\n',
  );
}

type Status = Extract<ProtectAnswer, { status: unknown }>['status'];

function statusText({ root, points, last, open_turns, not_protected, nested, bytes }: Status): string {
  return [
    `${plain(root)}: ${points} points, ${bytes} bytes${last === undefined ? '' : `, the last of ${last.ts}`}\n`,
    table(open_turns.map(({ turn, since }) => ['open turn', turn, since])),
    table(
      nested.map(({ path, kind, branch, dirty }) => [
        kind,
        path || '.',
        branch ?? '',
        dirty ? 'dirty' : 'clean',
        'files kept, history not',
      ]),
    ),
    table(not_protected.map(({ path, reason }) => ['not protected', reason, path])),
  ].join('');
}

function objectsText(shown: Extract<ProtectAnswer, { objects: unknown }>['objects']): string {
  const { needed, garbage, missing, elsewhere } = shown;
  return [
    `the large files are in ${placeText(shown)}\n`,
    table([
      ['needed', `${needed.objects} objects`, `${needed.bytes} bytes`],
      ['garbage', `${garbage.objects} objects`, `${garbage.bytes} bytes`],
      ...(missing > 0 ? [['missing', `${missing} objects`, '`devloop protect verify` names the points']] : []),
      ...elsewhere.map((url) => ['copies', url, 'of a move that has not ended; ask for it again']),
    ]),
  ].join('');
}

const placeText = ({ kind, url }: { readonly kind: string; readonly url?: string }): string =>
  url === undefined ? `the ${kind}` : `the ${kind} ${plain(url)}`;

function explainText({
  kind,
  included,
  reason,
  rule,
  at,
}: Extract<ProtectAnswer, { explained: unknown }>['explained']): string {
  const what = kind === undefined ? 'nothing is there; it would be' : `${kind}:`;
  const why = [
    reason,
    rule === undefined ? undefined : `rule ${JSON.stringify(rule.pattern)} of ${rule.source}`,
    at === undefined ? undefined : `at ${plain(at.path)}`,
  ];
  return `${what} ${included ? 'kept in points' : 'not kept'}${why
    .filter((part) => part !== undefined)
    .map((part) => `, ${part}`)
    .join('')}\n`;
}
