import { BadInput } from "../../../fault/index.ts";
import { isExactInteger } from "../../../object/index.ts";
import { GoError, GoMap, list, types, type Value } from "../../../template/index.ts";
import { readYaml } from "../../../yaml/index.ts";

/** Reads a YAML document as Helm does: every number is a float64. Throws a GoError. */
export function readYamlValue(text: string): Value {
  try {
    return valueOf(readYaml(text, "", { duplicateKeys: "last wins" }));
  } catch (error) {
    if (error instanceof BadInput) throw new GoError(`error converting YAML to JSON: ${error.message}`, { cause: error });
    throw error;
  }
}

function valueOf(json: unknown): Value {
  if (json === null || json === undefined) return null;
  if (typeof json === "string" || typeof json === "number" || typeof json === "boolean") return json;
  if (Array.isArray(json)) return list(json.map(valueOf));
  if (isExactInteger(json)) return Number(json.rawJSON);
  const map = new GoMap(types.anyMap);
  for (const [key, element] of Object.entries(json)) map.set(key, valueOf(element));
  return map;
}
