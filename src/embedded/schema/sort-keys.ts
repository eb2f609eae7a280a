import { isFields } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";

/** The value with sorted keys, as Go writes maps. */
export function sortKeys(value: unknown): unknown {
  return runNested(withSortedKeys(value));
}

function* withSortedKeys(value: unknown): Nested<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(yield* callNested(withSortedKeys(item)));
    return items;
  }
  if (!isFields(value)) return value;
  const entries: [string, unknown][] = [];
  for (const name of Object.keys(value).toSorted()) entries.push([name, yield* callNested(withSortedKeys(value[name]))]);
  return Object.fromEntries(entries);
}
