import type { State } from "../component/state-badge.tsx";

/** One box of a graph. Where it stands follows from its stage, its rank and its edges; its state never moves it. */
export type GraphNode = {
  readonly id: string;
  /** The name, shortened in the middle where it is too long. */
  readonly title: string;
  /** What it is, in small: a kind, a namespace. */
  readonly subtitle?: string;
  readonly state: State;
  /** The state in other words, such as `3/5 replicas`. Default the state. */
  readonly word?: string;
  /** Why it is so. */
  readonly because?: string;
  /** One of the stages of the graph; they follow each other from left to right. */
  readonly stage: string;
  /** Ranks of a stage follow each other from left to right. */
  readonly rank: number;
  /** A few short words, such as `hook` or `created`. */
  readonly badges?: readonly string[];
};

/** `to` comes after `from`. */
export type GraphEdge = {
  readonly from: string;
  readonly to: string;
  /** What has to hold of `from` before `to` begins, such as `ready`. */
  readonly gate?: string;
  /** Where the edge comes from: an annotation, a rank, a reference. */
  readonly because?: string;
  /** Implied edges are drawn quieter than those that somebody wrote. Default `needed`. */
  readonly type?: "needed" | "implied";
};

export type GraphProps = {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** The stages from left to right. Those that have no node are left out. */
  readonly stages: readonly string[];
  /** What the graph shows, for those who hear it. */
  readonly label: string;
  readonly selected?: string;
  /** Undefined when the selection is taken back. */
  readonly onSelect?: (id: string | undefined) => void;
  /** A node to move to, whenever another one is named. Default the selected one. */
  readonly revealed?: string;
  /** The nodes from the blocked one to the first cause. They and the edges between them are drawn strongly. */
  readonly chain?: readonly string[];
  /** The nodes that the end waited for, first to last. */
  readonly criticalPath?: readonly string[];
};
