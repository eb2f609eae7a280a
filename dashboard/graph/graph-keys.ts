import type { GraphEdge, GraphNode } from "./graph-data.ts";
import type { Layout } from "./layout/layout-graph.ts";
import { neighbourOf, type Direction } from "./neighbour.ts";
import type { CameraControl } from "./use-camera.ts";

type GraphKeysOptions = {
  readonly layout: Layout | undefined;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly focused: string | undefined;
  readonly control: CameraControl;
  readonly focus: (id: string | undefined) => void;
  readonly select: (id: string | undefined) => void;
};

const directions: Readonly<Record<string, Direction>> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const step = 80;
const steps: Readonly<Record<Direction, readonly [number, number]>> = {
  left: [-step, 0],
  right: [step, 0],
  up: [0, -step],
  down: [0, step],
};

/** What keys do: arrows follow edges, with Shift they move the picture; Enter selects, Escape takes it back; + − 0 set the size. */
export function graphKeys(options: GraphKeysOptions): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (act(event, options)) event.preventDefault();
  };
}

function act({ key, shiftKey }: KeyboardEvent, { layout, nodes, edges, focused, control, focus, select }: GraphKeysOptions): boolean {
  const direction = directions[key];
  if (direction !== undefined && shiftKey) control.pan(...steps[direction]);
  else if (direction !== undefined) focus(neighbourOf(focused ?? "", direction, layout?.nodes ?? [], edges) ?? focused);
  else if (key === "Enter" || key === " ") select(focused);
  else if (key === "Escape") select(undefined);
  else if (key === "Home") focus(nodes[0]?.id);
  else if (key === "End") focus(nodes.at(-1)?.id);
  else if (key === "+" || key === "=") control.zoom(1.3);
  else if (key === "-") control.zoom(1 / 1.3);
  else if (key === "0") control.fit();
  else return false;
  return true;
}
