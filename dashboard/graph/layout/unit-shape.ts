import { sizes } from "./layout-graph.ts";

/** Few heights, so that a block that grows by a node is seldom arranged anew. */
const heights = [1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256];

/** The width of a block for its height. */
const proportion = 1.2;

/** The rows and the size of a unit of so many nodes; a join has none. `inset` lies between the frame of a block and its nodes. */
export function unitShape(count: number) {
  if (count === 0) return { rows: 0, width: sizes.join, height: sizes.join, inset: 0 };
  const { node, blockGap, padding } = sizes;
  const [stepX, stepY] = [node.width + blockGap.x, node.height + blockGap.y];
  const wanted = count <= 6 ? count : Math.sqrt((count * stepX) / stepY / proportion);
  const rows = Math.min(count, heights.find((height) => height >= wanted) ?? heights.at(-1)!);
  const inset = count > 1 ? padding : 0;
  const columns = Math.ceil(count / rows);
  return { rows, width: columns * stepX - blockGap.x + 2 * inset, height: rows * stepY - blockGap.y + 2 * inset, inset };
}
