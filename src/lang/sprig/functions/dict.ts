import { charge } from "../../../core/cost/index.ts";
import { GoMap, goFunction, anyList, stringList, typeName, types, type FunctionTable, type GoValue } from "../../template/index.ts";
import { deepCopy } from "../deep-copy.ts";
import { asPlainMap } from "../map-view.ts";
import { mergoMerge } from "../mergo-merge.ts";
import { panic } from "../panic.ts";
import { strval } from "../strval.ts";

const nilAssignment = "assignment to entry in nil map";

/** A key of a map that is sorted or copied. */
const costOfKey = 32;

/** Dictionaries. `set`, `unset` and the merge functions change and return their argument. */
export const dictFunctions: FunctionTable = {
  dict: goFunction("func(...interface {}) map[string]interface {}", makeDict),
  get: goFunction("func(map[string]interface {}, string) interface {}", (map: GoMap, key: string) => {
    const element = map.get(key);
    return element === undefined ? "" : element;
  }),
  set: goFunction(
    "func(map[string]interface {}, string, interface {}) map[string]interface {}",
    (map: GoMap, key: string, element: GoValue) => {
      if (map.isNil) panic(nilAssignment);
      map.set(key, element);
      return asPlainMap(map);
    },
  ),
  unset: goFunction("func(map[string]interface {}, string) map[string]interface {}", (map: GoMap, key: string) => {
    map.delete(key);
    return asPlainMap(map);
  }),
  hasKey: goFunction("func(map[string]interface {}, string) bool", (map: GoMap, key: string) => map.has(key)),
  pluck: goFunction("func(string, ...map[string]interface {}) []interface {}", (key: string, ...maps: GoMap[]) =>
    anyList(maps.filter((map) => map.has(key)).map((map) => map.get(key))),
  ),
  // Go's order of keys and values is random. Here it is sorted.
  keys: goFunction("func(...map[string]interface {}) []string", (...maps: GoMap[]) => {
    for (const { size } of maps) charge(costOfKey * size);
    return stringList(maps.flatMap((map) => map.sortedKeys()));
  }),
  values: goFunction("func(map[string]interface {}) []interface {}", (map: GoMap) => {
    charge(costOfKey * map.size);
    return anyList(map.sortedKeys().map((key) => map.get(key)));
  }),
  pick: goFunction("func(map[string]interface {}, ...string) map[string]interface {}", (map: GoMap, ...keys: string[]) => {
    const picked = new GoMap(types.anyMap);
    for (const key of keys) if (map.has(key)) picked.set(key, map.get(key));
    return picked;
  }),
  omit: goFunction("func(map[string]interface {}, ...string) map[string]interface {}", (map: GoMap, ...keys: string[]) => {
    charge(costOfKey * map.size);
    const omitted = new Set(keys);
    const kept = new GoMap(types.anyMap);
    for (const [key, element] of map) if (!omitted.has(key)) kept.set(key, element);
    return kept;
  }),
  merge: merging("merge", false),
  mustMerge: merging("mustMerge", false),
  mergeOverwrite: merging("mergeOverwrite", true),
  mustMergeOverwrite: merging("mustMergeOverwrite", true),
  deepCopy: goFunction("func(interface {}) interface {}", copied),
  mustDeepCopy: goFunction("func(interface {}) (interface {}, error)", copied),
  dig: goFunction("func(...interface {}) (interface {}, error)", dig),
};

function makeDict(...pairs: GoValue[]): GoMap {
  const map = new GoMap(types.anyMap);
  for (let at = 0; at < pairs.length; at += 2) {
    const key = pairs[at];
    map.set(typeof key === "string" ? key : strval(key), at + 1 < pairs.length ? pairs[at + 1] : "");
  }
  return map;
}

function merging(name: string, overwrite: boolean) {
  const result = name.startsWith("must") ? "(interface {}, error)" : "interface {}";
  return goFunction(`func(map[string]interface {}, ...map[string]interface {}) ${result}`, (target: GoMap, ...sources: GoMap[]) => {
    const merged = target.isNil && sources.some(({ isNil }) => !isNil) ? new GoMap(types.anyMap) : target;
    for (const source of sources) mergoMerge(merged, source, overwrite);
    return asPlainMap(merged);
  });
}

function copied(value: GoValue): GoValue {
  return value === null ? panic("reflect: call of reflect.Value.Type on zero Value") : deepCopy(value);
}

function dig(...parameters: GoValue[]): GoValue {
  if (parameters.length < 3) panic("dig needs at least three arguments");
  let reached = plainMap(parameters.at(-1));
  const keys = parameters.slice(0, -2).map(keyText);
  for (const [index, key] of keys.entries()) {
    const element = reached.get(key);
    if (element === undefined) return parameters.at(-2);
    if (index === keys.length - 1) return element;
    reached = plainMap(element);
  }
  return null;
}

function keyText(key: GoValue): string {
  return typeof key === "string" ? key : panic(conversion(key, "string"));
}

function plainMap(value: GoValue): GoMap {
  return value instanceof GoMap && value.type === types.anyMap ? value : panic(conversion(value, types.anyMap.name));
}

function conversion(value: GoValue, wanted: string): string {
  const found = value === null || value === undefined ? "nil" : typeName(value);
  return `interface conversion: interface {} is ${found}, not ${wanted}`;
}
