import { GoList, GoMap, GoScalar, GoStruct, Integer, Pointer, reflectTypeOf, sprint, type GoValue } from "../../../lang/template/index.ts";
import { PlainScalar, type YamlView } from "../../../lang/yaml/index.ts";
import { jsonText, parseJson, timeScope } from "../../../lang/sprig/index.ts";

/**
 * How go-yaml v3 writes Go values, without JSON in between: nil lists and maps are empty, the fields of a struct keep their order
 * and are in lower case, and times are not quoted. Models go.yaml.in/yaml/v3 encode.go.
 */
export const prettyView: YamlView = {
  itemsOf: (value) => (value instanceof GoList ? value.items : undefined),
  keysOf: (value) => {
    if (value instanceof GoMap) return value.type.key?.kind === "string" ? value.sortedKeys() : undefined;
    return value instanceof GoStruct && !marshalsText(value) ? exportedFields(value).map((name) => name.toLowerCase()) : undefined;
  },
  keepsOrder: (value) => value instanceof GoStruct,
  valueAt: (value, key) => {
    if (value instanceof GoMap) return value.get(key);
    return value instanceof GoStruct ? value.field(exportedFields(value).find((name) => name.toLowerCase() === key) ?? key) : null;
  },
  plainOf,
};

function exportedFields({ type }: GoStruct): readonly string[] {
  return (type.fields ?? []).map(({ name }) => name).filter((name) => /^\p{Lu}/u.test(name));
}

function marshalsText(value: GoStruct): boolean {
  return reflectTypeOf(value)?.methods.has("MarshalText") === true;
}

function plainOf(value: object): unknown {
  if (value instanceof Integer) return value.type === timeScope["time.Duration"] ? durationText(value) : BigInt(value.value);
  if (value instanceof GoScalar) return value.value;
  if (value instanceof Pointer) return value.isNil ? null : value.target;
  // Values with a text of their own are strings in JSON.
  const plain = parseJson(jsonText(value as GoValue));
  const isTime = value instanceof GoStruct && value.type === timeScope["time.Time"];
  return isTime && typeof plain === "string" ? new PlainScalar(plain) : plain;
}

function durationText(duration: Integer): string {
  return sprint([duration]);
}
