import { isFields, stringAt } from "../../../core/object/index.ts";

/** The items of a List, or of another kind of list that has items; anything else stands for itself. */
export function listItemsOf(value: unknown): readonly unknown[] {
  if (!isFields(value) || !stringAt(value, "kind", "").endsWith("List")) return [value];
  const { items } = value;
  return Array.isArray(items) ? items.flatMap(listItemsOf) : [value];
}
