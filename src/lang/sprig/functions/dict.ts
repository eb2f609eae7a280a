import { GoMap, goFunction, list, stringList, typeName, types, type FunctionTable, type Value } from "../../template/index.ts";
import { deepCopy } from "../copy.ts";
import { asPlainMap } from "../map-view.ts";
import { mergeInto } from "../merge.ts";
import { fail } from "../panic.ts";
import { textOf } from "../print.ts";

const nilAssignment = "assignment to entry in nil map";

/** Dictionaries: `set`, `unset` and the merges change the one that they are given, and answer it. */
export const dictFunctions: FunctionTable = {
  dict: goFunction("func(...interface {}) map[string]interface {}", makeDict),
  get: goFunction("func(map[string]interface {}, string) interface {}", (map: GoMap, key: string) => {
    const element = map.get(key);
    return element === undefined ? "" : element;
  }),
  set: goFunction(
    "func(map[string]interface {}, string, interface {}) map[string]interface {}",
    (map: GoMap, key: string, element: Value) => {
      if (map.isNil) fail(nilAssignment);
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
    list(maps.filter((map) => map.has(key)).map((map) => map.get(key))),
  ),
  // Go gives keys and values in an order of chance; here it is always the same.
  keys: goFunction("func(...map[string]interface {}) []string", (...maps: GoMap[]) => stringList(maps.flatMap((map) => map.sortedKeys()))),
  values: goFunction("func(map[string]interface {}) []interface {}", (map: GoMap) => list(map.sortedKeys().map((key) => map.get(key)))),
  pick: goFunction("func(map[string]interface {}, ...string) map[string]interface {}", (map: GoMap, ...keys: string[]) => {
    const picked = new GoMap(types.anyMap);
    for (const key of keys) if (map.has(key)) picked.set(key, map.get(key));
    return picked;
  }),
  omit: goFunction("func(map[string]interface {}, ...string) map[string]interface {}", (map: GoMap, ...keys: string[]) => {
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

function makeDict(...pairs: Value[]): GoMap {
  const map = new GoMap(types.anyMap);
  for (let at = 0; at < pairs.length; at += 2) {
    const key = pairs[at];
    map.set(typeof key === "string" ? key : textOf(key), at + 1 < pairs.length ? pairs[at + 1] : "");
  }
  return map;
}

function merging(name: string, overwrite: boolean) {
  const result = name.startsWith("must") ? "(interface {}, error)" : "interface {}";
  return goFunction(`func(map[string]interface {}, ...map[string]interface {}) ${result}`, (target: GoMap, ...sources: GoMap[]) => {
    const merged = target.isNil && sources.some(({ isNil }) => !isNil) ? new GoMap(types.anyMap) : target;
    for (const source of sources) mergeInto(merged, source, overwrite);
    return asPlainMap(merged);
  });
}

function copied(value: Value): Value {
  return value === null ? fail("reflect: call of reflect.Value.Type on zero Value") : deepCopy(value);
}

function dig(...parameters: Value[]): Value {
  if (parameters.length < 3) fail("dig needs at least three arguments");
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

function keyText(key: Value): string {
  return typeof key === "string" ? key : fail(conversion(key, "string"));
}

function plainMap(value: Value): GoMap {
  return value instanceof GoMap && value.type === types.anyMap ? value : fail(conversion(value, types.anyMap.name));
}

function conversion(value: Value, wanted: string): string {
  const found = value === null || value === undefined ? "nil" : typeName(value);
  return `interface conversion: interface {} is ${found}, not ${wanted}`;
}
