import type { PipelineNode } from './pipeline-nodes.ts';

export interface PlacedNode {
  readonly node: PipelineNode;
  readonly x: number;
  readonly y: number;
}

export interface PlacedEdge {
  readonly from: string;
  readonly to: string;
  /** The path of an SVG. */
  readonly path: string;
}

export interface PipelineLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

/** Pixels. */
export const NODE = { width: 132, height: 58 } as const;
const GAP = { row: { along: 34, across: 14 }, column: { along: 30, across: 12 } } as const;
const EDGE = 2;
/** More steps than these stand closer. */
const ROOMY = 7;
const CLOSE = 20;

/** Places nodes so that each stands after all that it waits for: left to right as a row, or top to bottom as a column. */
export function layoutPipeline(nodes: readonly PipelineNode[], direction: 'row' | 'column'): PipelineLayout {
  const steps = stepsOf(nodes);
  const widest = Math.max(...steps.map((step) => step.length), 1);
  const gap = { ...GAP[direction], ...(direction === 'row' && steps.length > ROOMY && { along: CLOSE }) };
  const along = (direction === 'row' ? NODE.width : NODE.height) + gap.along;
  const across = (direction === 'row' ? NODE.height : NODE.width) + gap.across;
  const placed = steps.flatMap((step, at) =>
    step.map((node, lane) => {
      const main = EDGE + at * along;
      const cross = EDGE + (lane + (widest - step.length) / 2) * across;
      return direction === 'row' ? { node, x: main, y: cross } : { node, x: cross, y: main };
    }),
  );
  const byId = new Map(placed.map((one) => [one.node.id, one]));
  const edges = placed.flatMap((to) =>
    to.node.after.flatMap((id) => {
      const from = byId.get(id);
      return from === undefined ? [] : [{ from: id, to: to.node.id, path: pathOf(from, to, direction) }];
    }),
  );
  const length = steps.length * along - gap.along + 2 * EDGE;
  const breadth = widest * across - gap.across + 2 * EDGE;
  return {
    width: direction === 'row' ? length : breadth,
    height: direction === 'row' ? breadth : length,
    nodes: placed,
    edges,
  };
}

/** Nodes by the longest way to them. What waits in a circle stands where it was first met. */
function stepsOf(nodes: readonly PipelineNode[]): readonly (readonly PipelineNode[])[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const steps = new Map<string, number>();
  const stepOf = (node: PipelineNode, above: ReadonlySet<string>): number => {
    const known = steps.get(node.id);
    if (known !== undefined) return known;
    const before = node.after.flatMap((id) => {
      const one = byId.get(id);
      return one === undefined || above.has(id) ? [] : [stepOf(one, new Set([...above, node.id]))];
    });
    const step = before.length === 0 ? 0 : Math.max(...before) + 1;
    steps.set(node.id, step);
    return step;
  };
  const found: PipelineNode[][] = [];
  for (const node of nodes) {
    const step = stepOf(node, new Set([node.id]));
    while (found.length <= step) found.push([]);
    found[step]?.push(node);
  }
  return found.filter((step) => step.length > 0);
}

function pathOf(from: PlacedNode, to: PlacedNode, direction: 'row' | 'column'): string {
  if (direction === 'row') {
    const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2];
    const [x2, y2] = [to.x, to.y + NODE.height / 2];
    const bend = (x2 - x1) / 2;
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  }
  const [x1, y1] = [from.x + NODE.width / 2, from.y + NODE.height];
  const [x2, y2] = [to.x + NODE.width / 2, to.y];
  const bend = (y2 - y1) / 2;
  return `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
}
