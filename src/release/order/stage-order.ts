import type { Stage } from "./ordering-constraints.ts";

export const stageOrder: readonly Stage[] = ["crds", "pre", "main", "post"];

/** Compares stages by their order. */
export function compareStages(a: Stage, b: Stage): number {
  return stageOrder.indexOf(a) - stageOrder.indexOf(b);
}
