import { useEffect, useState } from 'preact/hooks';
import type { Project } from '../api/types.ts';
import { columns } from '../diff/line-width.ts';
import { t, tOf } from '../i18n/t.ts';
import { ScrollBox } from '../list/scroll-box.tsx';
import { type LiveEvent, textIn } from '../live/live-event.ts';
import { toneOf } from '../shell/badge.tsx';
import { linkTo } from '../shell/route.ts';
import { visibleLine } from '../shell/visible.ts';
import { layoutPipeline, NODE, type PlacedNode } from './pipeline-layout.ts';
import { type PipelineNode, pipelineNodes } from './pipeline-nodes.ts';

/** So far is the picture made smaller before it scrolls. */
const LEAST = 0.85;

export interface PipelineProps {
  readonly project: Project;
  readonly events: readonly LiveEvent[];
}

/** The pipeline as a picture: what is done, what runs, what waits for what. Each node leads to what it stands for. */
export function Pipeline({ project, events }: PipelineProps) {
  const direction = useDirection();
  const last = events.findLast(({ kind }) => kind === 'integration_result');
  const nodes = pipelineNodes({ project, integration: last && textIn(last, 'outcome') });
  const { width, height, nodes: placed, edges } = layoutPipeline(nodes, direction);
  return (
    <ScrollBox class="pipeline" label={t('pipeline.label')}>
      <svg
        width={width}
        height={height}
        style={{ minWidth: `${width * LEAST}px` }}
        viewBox={`0 0 ${width} ${height}`}
        aria-label={t('pipeline.label')}
      >
        <title>{t('pipeline.label')}</title>
        <g class="edges">
          {edges.map(({ from, to, path }) => (
            <path key={`${from} ${to}`} d={path} />
          ))}
        </g>
        {placed.map((one) => (
          <NodePicture key={one.node.id} placed={one} pid={project.pid} />
        ))}
      </svg>
    </ScrollBox>
  );
}

function NodePicture({ placed: { node, x, y }, pid }: { readonly placed: PlacedNode; readonly pid: string }) {
  const label = labelOf(node);
  const marks = node.attempts ?? [];
  const state = stateOf(node);
  return (
    <a class={`node tone-${toneOf(node.state)}`} href={targetOf(node, pid)} data-node={node.id} data-state={node.state}>
      <title>{titleOf(node, [label, state])}</title>
      <g transform={`translate(${x} ${y})`}>
        <rect
          class={`box kind-${node.kind}`}
          width={NODE.width}
          height={NODE.height}
          rx={node.kind === 'gate' ? 29 : 6}
        />
        <circle class="dot" cx="15" cy="20" r="4" />
        <text class="name" x="26" y="24">
          {cut(label, 15)}
        </text>
        <text class="state" x="26" y="42">
          {cut(state, marks.length > 0 ? 10 : 16)}
        </text>
        {marks.slice(0, 5).map((mark, at) => (
          <circle
            key={at}
            class={`attempt is-${mark}`}
            cx={NODE.width - 12 - (Math.min(marks.length, 5) - 1 - at) * 10}
            cy="38"
            r="3"
          />
        ))}
      </g>
    </a>
  );
}

const stateOf = ({ state }: PipelineNode): string =>
  state === 'waiting_approval' ? t('pipeline.your_turn') : tOf('status', state);

/** The whole of it in words: what its place in the picture has no room for. */
function titleOf({ title, attempts }: PipelineNode, said: readonly string[]): string {
  const tried = attempts === undefined ? [] : [t('pipeline.attempts', { n: begun(attempts), of: attempts.length })];
  return [...said, ...tried, ...(title === undefined ? [] : [visibleLine(title)])].join(', ');
}

function labelOf({ kind, name }: PipelineNode): string {
  if (kind === 'role') return tOf('role', name);
  if (kind === 'gate') return t('pipeline.gate', { name: name.toUpperCase() });
  return kind === 'unit' ? visibleLine(name) : t('pipeline.end');
}

function targetOf({ kind, name }: PipelineNode, pid: string): string {
  if (kind === 'unit') return linkTo(['p', pid, 'units', name]);
  if (kind === 'role') return linkTo(['p', pid, 'runs'], { role: name });
  return kind === 'gate' ? linkTo(['p', pid, 'files'], { path: name }) : linkTo(['p', pid, 'history']);
}

const begun = (marks: NonNullable<PipelineNode['attempts']>): number => marks.filter((mark) => mark !== 'left').length;

/** So many columns of a text: an ideograph takes two. */
function cut(text: string, length: number): string {
  if (columns(text) <= length) return text;
  let kept = '';
  for (const character of text) {
    if (columns(kept + character) > length - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** A row where there is room for it. */
function useDirection(): 'row' | 'column' {
  const [query] = useState(() => matchMedia('(max-width: 700px)'));
  const [narrow, setNarrow] = useState(query.matches);
  useEffect(() => {
    const follow = () => setNarrow(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, [query]);
  return narrow ? 'column' : 'row';
}
