/** Lays out graphs beside the page, so that it answers while a large one is laid out. */
import { layout } from "./layout/layout.ts";
import type { LayoutGraph } from "./layout/layout-graph.ts";

addEventListener("message", ({ data }: MessageEvent<{ readonly request: number; readonly graph: LayoutGraph }>) => {
  postMessage({ request: data.request, layout: layout(data.graph) }, {});
});
