import { isExactInteger, isFields } from "../../core/object/index.ts";
import { dict, int64, anyList, type GoValue } from "../../lang/template/index.ts";

/** JSON as a Kubernetes unstructured value: integers are int64, so that 1000000 is not printed as 1e+06. */
export function unstructuredOf(json: unknown): GoValue {
  if (typeof json === "string" || typeof json === "boolean") return json;
  if (typeof json === "number") return Number.isInteger(json) ? int64(json) : json;
  if (isExactInteger(json)) return int64(BigInt(json.rawJSON));
  if (Array.isArray(json)) return anyList(json.map(unstructuredOf));
  if (!isFields(json)) return null;
  const map = dict();
  for (const [key, element] of Object.entries(json)) map.set(key, unstructuredOf(element));
  return map;
}
