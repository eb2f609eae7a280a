import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { GraphProps } from "./graph-data.ts";
import { sizes, type Layout, type LayoutGraph } from "./layout/layout-graph.ts";
import { requestLayout } from "./request-layout.ts";

/** The layout of a graph; undefined until there is one. States do not move anything: it is made anew only when nodes, ranks or edges change. */
export function useLayout({ nodes, edges, stages }: Pick<GraphProps, "nodes" | "edges" | "stages">): Layout | undefined {
  const graph = useMemo(() => layoutGraph(nodes, edges, stages), [nodes, edges, stages]);
  const key = useMemo(() => keyOf(graph), [graph]);
  const [current, setCurrent] = useState<{ readonly key: string; readonly layout: Layout }>();
  const latest = useRef("");
  useEffect(() => {
    if (latest.current === key) return;
    latest.current = key;
    const accept = (layout: Layout) => {
      if (latest.current === key) setCurrent({ key, layout });
    };
    const previous = current === undefined ? {} : { previous: heightsOf(current.layout) };
    const answer = requestLayout({ ...graph, ...previous });
    if (answer instanceof Promise) void answer.then(accept);
    else accept(answer);
  }, [key]);
  return current?.layout;
}

function layoutGraph(nodes: GraphProps["nodes"], edges: GraphProps["edges"], stages: readonly string[]): LayoutGraph {
  const stageOf = (stage: string) => {
    const at = stages.indexOf(stage);
    return at === -1 ? stages.length : at;
  };
  return {
    nodes: nodes.map(({ id, stage, rank }) => ({ id, stage: stageOf(stage), rank })),
    edges: edges.map(({ from, to }) => ({ from, to })),
  };
}

function keyOf({ nodes, edges }: LayoutGraph): string {
  const parts = nodes.map(({ id, stage, rank }) => `${id}\n${stage}\n${rank}`);
  for (const { from, to } of edges) parts.push(`${from}\n${to}`);
  return parts.join("\n\n");
}

function heightsOf({ nodes }: Layout): Readonly<Record<string, number>> {
  return Object.fromEntries(nodes.map(({ id, y }) => [id, y + sizes.node.height / 2]));
}
