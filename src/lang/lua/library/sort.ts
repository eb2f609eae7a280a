import { raise, spend } from "../run/machine.ts";
import type { LuaTable } from "../run/table.ts";
import type { LuaValue } from "../run/value.ts";

type IsLess = (a: LuaValue, b: LuaValue) => boolean;

/**
 * Sorts items 1 to n by quicksort with the median of three. It compares in the order of Lua 5.1, so an inconsistent or failing
 * comparison has the same effect.
 */
export function sortTable(table: LuaTable, isLess: IsLess): void {
  sortRange(table, 1, table.length, isLess);
}

function sortRange(table: LuaTable, from: number, to: number, isLess: IsLess): void {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = parted(table, low, high, isLess);
    if (middle === undefined) return;
    // Recurses into the smaller part and loops over the larger one, which bounds the recursion.
    if (middle - low < high - middle) {
      sortRange(table, low, middle - 1, isLess);
      low = middle + 1;
    } else {
      sortRange(table, middle + 1, high, isLess);
      high = middle - 1;
    }
  }
}

/** Partitions a range around its median of three. Returns the position of the pivot; undefined if the range is sorted already. */
function parted(table: LuaTable, low: number, high: number, isLess: IsLess): number | undefined {
  spend(high - low);
  swapIf(table, low, high, isLess);
  if (high - low === 1) return undefined;
  const middle = Math.floor((low + high) / 2);
  if (!swapIf(table, low, middle, isLess)) swapIf(table, middle, high, isLess);
  if (high - low === 2) return undefined;
  const pivot = table.getNumber(middle);
  swap(table, middle, high - 1);
  let [i, j] = [low, high - 1];
  for (;;) {
    for (i += 1; isLess(table.getNumber(i), pivot); i += 1) if (i > high) raise("invalid order function for sorting");
    for (j -= 1; isLess(pivot, table.getNumber(j)); j -= 1) if (j < low) raise("invalid order function for sorting");
    if (j < i) break;
    swap(table, i, j);
  }
  swap(table, high - 1, i);
  return i;
}

/** Swaps two items if they are out of order. */
function swapIf(table: LuaTable, first: number, second: number, isLess: IsLess): boolean {
  if (!isLess(table.getNumber(second), table.getNumber(first))) return false;
  swap(table, first, second);
  return true;
}

function swap(table: LuaTable, i: number, j: number): void {
  const item = table.getNumber(i);
  table.setNumber(i, table.getNumber(j));
  table.setNumber(j, item);
}
