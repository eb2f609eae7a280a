import type { Stage } from "./claim.ts";

export const stageOrder: readonly Stage[] = ["crds", "pre", "main", "post"];

/** Compares stages by when they come. */
export function byStage(a: Stage, b: Stage): number {
  return stageOrder.indexOf(a) - stageOrder.indexOf(b);
}
