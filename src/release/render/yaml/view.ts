import { GoError, GoList, GoMap, Integer, GoScalar, type GoValue } from "../../../lang/template/index.ts";
import type { YamlView } from "../../../lang/yaml/index.ts";
import { jsonText, parseJson } from "../../../lang/sprig/index.ts";

/** How Go values are written as YAML through JSON. */
export const throughJsonView: YamlView = {
  itemsOf: (value) => (value instanceof GoList && !value.isNil ? throughJson(value.items) : undefined),
  keysOf: (value) => (value instanceof GoMap && value.type.key?.kind === "string" && !value.isNil ? value.sortedKeys() : undefined),
  valueAt: (map, key) => {
    const element = (map as GoMap).get(key);
    return typeof element === "number" ? numberThroughJson(element) : element;
  },
  plainOf,
};

/** Other values have their JSON form. */
function plainOf(value: object): unknown {
  if (value instanceof Integer || value instanceof GoScalar) return value.value;
  return parseJson(jsonText(value as GoValue));
}

/** JSON has no infinity, and go-yaml reads `-0` as 0 without a sign. */
export function numberThroughJson(value: number): number {
  if (!Number.isFinite(value)) throw new GoError(`json: unsupported value: ${Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"}`);
  return value === 0 ? 0 : value;
}

function throughJson(items: readonly GoValue[]): readonly GoValue[] {
  const isAffected = items.some((item) => typeof item === "number" && (!Number.isFinite(item) || Object.is(item, -0)));
  return isAffected ? items.map((item) => (typeof item === "number" ? numberThroughJson(item) : item)) : items;
}
