import type { FoldExpr } from "./ast.ts";

/** The costs of creating a list and a map. */
export const [newList, newMap] = [10, 30];

/**
 * The costs of the comprehensions that macros expand to, but for their range, condition and body: of the start, of each step and
 * of the result. Models cel-go parser/macro.go, ext/comprehensions.go
 */
export const foldCosts: Readonly<Record<FoldExpr["macro"], { readonly init: number; readonly loop: number; readonly result: number }>> = {
  all: { init: 0, loop: 3, result: 1 },
  exists: { init: 0, loop: 4, result: 1 },
  existsOne: { init: 0, loop: 2, result: 2 },
  filter: { init: newList, loop: 13, result: 1 },
  map: { init: newList, loop: 12, result: 1 },
  transformList: { init: newList, loop: 12, result: 1 },
  transformMap: { init: newMap, loop: 3, result: 1 },
  transformMapEntry: { init: newMap, loop: 2, result: 1 },
};

/** Whether a macro makes a list or map of its range. */
export function isBuilding({ macro }: FoldExpr): boolean {
  return foldCosts[macro].init > 0;
}
