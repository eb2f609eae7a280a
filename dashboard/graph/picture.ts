import type { ReadonlySignal } from "@preact/signals";
import type { Camera, Size } from "./camera.ts";
import type { GraphNode } from "./graph-data.ts";
import type { Layout } from "./layout/layout-graph.ts";
import type { LineDetails } from "./line-details.ts";

/** What is emphasised in a picture: nodes by id, lines by number. */
export type Marks = {
  readonly selected?: string;
  /** Where the keyboard is; undefined while it is elsewhere. */
  readonly focused?: string;
  readonly chain: ReadonlySet<string>;
  readonly chainLines: ReadonlySet<number>;
  readonly critical: ReadonlySet<string>;
  readonly criticalLines: ReadonlySet<number>;
  /** The lines of the selected node. */
  readonly nearLines: ReadonlySet<number>;
};

/** What a picture is drawn from, as SVG or on a canvas. */
export type PictureProps = {
  readonly layout: Layout;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly details: readonly LineDetails[];
  readonly marks: Marks;
  readonly camera: ReadonlySignal<Camera>;
  readonly screen: ReadonlySignal<Size>;
};

/** How a line is drawn. The later ones are drawn over the earlier ones. */
export const lineStyles = ["implied", "plain", "near", "critical", "chain"] as const;
export type LineStyle = (typeof lineStyles)[number];

export function lineStyleOf(line: number, { isImplied }: LineDetails, { chainLines, criticalLines, nearLines }: Marks): LineStyle {
  if (chainLines.has(line)) return "chain";
  if (criticalLines.has(line)) return "critical";
  if (nearLines.has(line)) return "near";
  return isImplied ? "implied" : "plain";
}

/** All about a node, as it is said and shown beside the pointer. */
export function fullText({ title, subtitle, state, word = state, because, badges = [] }: GraphNode): string {
  const what = [title, subtitle, ...badges].filter((part) => part !== undefined && part !== "").join(", ");
  return `${what}: ${word}${because === undefined || because === word ? "" : ` (${because})`}`;
}
