import { GoError, GoMap, goMethod, ReflectType, types, type GoFunction, type GoValue } from "../../../lang/template/index.ts";
import { asPlainMap } from "../../../lang/sprig/index.ts";
import { yamlText } from "../yaml/write.ts";

// The methods refer to the type itself, so they are added afterwards.
const methods = new Map<string, GoFunction>();

/** The type of `.Values`, of `.Template` and of the root context. */
export const valuesType = new ReflectType("common.Values", "map", types.anyMap, { underlying: types.anyMap, methods });

const scope = { "common.Values": valuesType };

methods.set(
  "AsMap",
  goMethod("func() map[string]interface {}", (values: GoMap) => (values.size === 0 ? new GoMap() : asPlainMap(values))),
);
methods.set(
  "YAML",
  goMethod("func() (string, error)", (values: GoMap) => `${yamlText(values)}\n`),
);
methods.set(
  "Table",
  goMethod("func(string) (common.Values, error)", (values: GoMap, path: string) => tableAt(values, path.split(".")), scope),
);
methods.set("PathValue", goMethod("func(string) (interface {}, error)", pathValue));

export function valuesMap(entries: Iterable<readonly [string, GoValue]>): GoMap {
  return new GoMap(valuesType, entries);
}

function tableAt(values: GoMap, path: readonly string[]): GoMap {
  let table = values;
  for (const name of path) {
    const next = table.get(name);
    if (!(next instanceof GoMap)) throw new GoError(`"${name}" is not a table`);
    table = next;
  }
  return table;
}

/** The value at a dotted path, unless it is a table. */
function pathValue(values: GoMap, path: string): GoValue {
  if (path === "") throw new GoError("YAML path cannot be empty");
  const parts = path.split(".");
  const key = parts.at(-1) ?? "";
  const found = tableOr(values, parts.slice(0, -1))?.get(key);
  if (found === undefined || (found instanceof GoMap && found.type === types.anyMap)) throw new GoError(`"${key}" is not a value`);
  return found;
}

function tableOr(values: GoMap, path: readonly string[]): GoMap | undefined {
  try {
    return tableAt(values, path);
  } catch (error) {
    if (error instanceof GoError) return undefined;
    throw error;
  }
}
