import { isFields } from "../../core/object/index.ts";

/** The value with sorted keys, as Go writes maps. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([name, child]): [string, unknown] => [name, sortKeys(child)]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
