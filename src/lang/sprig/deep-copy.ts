import { GoList, GoMap, type GoValue } from "../template/index.ts";

/** A deep copy of maps and lists. */
export function deepCopy(value: GoValue): GoValue {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof GoMap) return copiedMap(value);
  if (value instanceof GoList) return value.isNil ? value : new GoList(value.type, value.items.map(deepCopy));
  return value instanceof Uint8Array ? Uint8Array.from(value) : value;
}

function copiedMap(map: GoMap): GoMap {
  if (map.isNil) return map;
  const copy = new GoMap(map.type);
  if (map.type.key?.kind === "string") for (const [key, element] of map) copy.set(key, deepCopy(element));
  else for (const [key, element] of map.sortedEntries()) copy.put(key, deepCopy(element));
  return copy;
}
