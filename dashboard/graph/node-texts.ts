import type { GraphNode } from "./graph-data.ts";
import { sizes } from "./layout/layout-graph.ts";
import { fitText, textWidth } from "./node-fonts.ts";

/** Where the texts of a node begin. */
export const textLeft = 28;
const right = 8;
const between = 6;
const width = sizes.node.width - textLeft - right;
/** The state comes before what else there is, and leaves it at least this much. */
const leastRest = 50;

/** The texts of a node as they are drawn, each with its place from the left. */
export type NodeTexts = { readonly title: string; readonly word: string; readonly rest: string; readonly restLeft: number };

/** Shortens the texts of a node to its width. */
export function nodeTexts({ title, subtitle, state, word = state, badges = [] }: GraphNode): NodeTexts {
  const rest = [subtitle, ...badges].filter((part) => part !== undefined && part !== "").join(" · ");
  const shortWord = fitText(word, "small", rest === "" ? width : width - leastRest - between);
  const restLeft = textLeft + textWidth(shortWord, "small") + between;
  return {
    title: fitText(title, "title", width),
    word: shortWord,
    rest: rest === "" ? "" : fitText(rest, "small", Math.floor(sizes.node.width - right - restLeft)),
    restLeft,
  };
}
