/** A node to be placed. */
export type LayoutNode = {
  readonly id: string;
  /** The number of its stage, from left to right. */
  readonly stage: number;
  readonly rank: number;
};

/** `to` is placed to the right of `from`. */
export type LayoutEdge = { readonly from: string; readonly to: string };

export type LayoutGraph = {
  readonly nodes: readonly LayoutNode[];
  readonly edges: readonly LayoutEdge[];
  /** The heights at which nodes were drawn before, by id: those nodes stay near them, in the same order. */
  readonly previous?: Readonly<Record<string, number>>;
};

/** A rectangle by its upper left corner. */
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** Where a node is drawn. All nodes have the same size. */
export type PlacedNode = {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** The number of its unit. */
  readonly unit: number;
};

/**
 * What lines lead to: a node, a block of nodes with the same neighbours, or a join, in which the lines of a bundle meet.
 * A block is one unit so that its nodes need one line instead of one each.
 */
export type PlacedUnit = Box & { readonly type: "node" | "block" | "join" };

/** A line between units. It stands for every edge between their nodes. */
export type PlacedLine = {
  readonly from: number;
  readonly to: number;
  /** x and y in turn, from the first unit to the last. Between points it runs level, and then in a curve. */
  readonly points: readonly number[];
};

/** All nodes of a stage and a rank. */
export type PlacedRank = { readonly stage: number; readonly rank: number; readonly x: number; readonly width: number };

/** Where everything is drawn, in pixels. */
export type Layout = {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly units: readonly PlacedUnit[];
  readonly lines: readonly PlacedLine[];
  readonly ranks: readonly PlacedRank[];
};

/** The sizes of what is drawn, in pixels. */
export const sizes = {
  node: { width: 192, height: 42 },
  /** Between the nodes of a block. */
  blockGap: { x: 10, y: 8 },
  /** Between a block's frame and its nodes. */
  padding: 8,
  /** Between units of a layer. */
  unitGap: 16,
  /** Between lines that pass a layer. */
  lineGap: 8,
  /** Between layers. */
  layerGap: 56,
  join: 8,
} as const;
