import { layout } from "./layout/layout.ts";
import type { Layout, LayoutGraph } from "./layout/layout-graph.ts";

/** Graphs up to this size are laid out at once: that takes less than a frame, and nothing has to be loaded. */
const maxAtOnce = 300;

/** What the worker answers. */
export type LayoutAnswer = { readonly request: number; readonly layout: Layout };

let worker: Worker | undefined;
let requests = 0;
const waiting = new Map<number, (layout: Layout) => void>();

/** Lays out a graph, a large one in a worker. */
export function requestLayout(graph: LayoutGraph): Layout | Promise<Layout> {
  if (graph.nodes.length + graph.edges.length <= maxAtOnce) return layout(graph);
  worker ??= started();
  const request = ++requests;
  const { promise, resolve } = Promise.withResolvers<Layout>();
  waiting.set(request, resolve);
  worker.postMessage({ request, graph }, []);
  return promise;
}

function started(): Worker {
  const started = new Worker("/layout-worker.js", { type: "module" });
  started.addEventListener("message", ({ data }: MessageEvent<LayoutAnswer>) => {
    waiting.get(data.request)?.(data.layout);
    waiting.delete(data.request);
  });
  return started;
}
