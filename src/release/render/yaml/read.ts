import { charge } from "../../../core/cost/index.ts";
import { LruCache } from "../../../core/cache/index.ts";
import { GoError, GoList, GoMap, anyList, memorySizeOf, types, type GoValue } from "../../../lang/template/index.ts";
import { YamlFault, unmarshalList, unmarshalMap, type DecodeTarget } from "../../../lang/yaml/index.ts";
import { deepCopy } from "../../../lang/sprig/index.ts";

/** The memory of a map, whose text may be two characters. */
const costOfMap = 256;

/** Go's values, with every number a float64. */
const goTarget: DecodeTarget = {
  newMap: () => {
    charge(costOfMap);
    return new GoMap(types.anyMap);
  },
  set: (map, key, value) => void (map as GoMap).set(key, value as GoValue),
  has: (map, key) => (map as GoMap).has(key),
  isMap: (value) => value instanceof GoMap,
  entries: (map) => (map as GoMap).entries(),
  newList: (items) => anyList(items as GoValue[]),
  isList: (value) => value instanceof GoList,
  itemsOf: (value) => (value as GoList).items,
  bigInteger: Number,
  // Templates may change maps, so each alias is a copy.
  aliased: (value) => deepCopy(value as GoValue),
};

/** A character may be an element of its own, and takes a moment to read. */
const costOfCharacter = 8;

/** Charts parse the same text in many places. */
const knownMaps = new LruCache<string, GoMap>({ maxWeight: 2 ** 24, weightOf: (text, map) => text.length + memorySizeOf(map) });

/** Parses a YAML map as Helm reads values; the result is the caller's own. Throws a GoError in Helm's words. */
export function readYamlMap(text: string): GoMap {
  const known = knownMaps.get(text);
  if (known !== undefined) return copyOf(known);
  charge(costOfCharacter * text.length);
  const map = asGoError(() => unmarshalMap(text, goTarget) as GoMap);
  knownMaps.set(text, copyOf(map));
  return map;
}

function copyOf(map: GoMap): GoMap {
  return deepCopy(map) as GoMap;
}

/** Parses a YAML list. */
export function readYamlList(text: string): GoList {
  charge(costOfCharacter * text.length);
  return asGoError(() => unmarshalList(text, goTarget) as GoList);
}

function asGoError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof YamlFault) throw new GoError(error.message, { cause: error });
    throw error;
  }
}
