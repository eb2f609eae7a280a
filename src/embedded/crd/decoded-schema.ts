import { isFields, type Fields } from "../../core/object/index.ts";
import type { JsonSchemaProps } from "../schema/index.ts";

const schemaFields: ReadonlySet<string> = new Set(["not", "items", "additionalProperties", "additionalItems"]);
const schemaLists: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf"]);
const schemaMaps: ReadonlySet<string> = new Set(["properties", "patternProperties", "definitions", "dependencies"]);

/** Gives what becomes of a schema inside of a schema. */
type Decode = (schema: unknown) => unknown;

/** The schema of a CRD as Go's JSON decoder leaves it in a JSONSchemaProps: a field that is null is not there, an item that is null is empty. */
export function decodedSchema(schema: JsonSchemaProps): JsonSchemaProps {
  // Schemas may be nested deeper than the stack is.
  const pending: (readonly [given: Fields, made: object])[] = [];
  const decode: Decode = (given) => {
    if (!isFields(given)) return given ?? {};
    const made = {};
    pending.push([given, made]);
    return made;
  };
  const root = decode(schema) as JsonSchemaProps;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [given, made] = next;
    for (const [name, value] of Object.entries(given))
      if (value !== null)
        Object.defineProperty(made, name, {
          value: decodedField(name, value, decode),
          enumerable: true,
          writable: true,
          configurable: true,
        });
  }
  return root;
}

/** Values of `default`, `enum` and `example` are JSON, in which null is a value. */
function decodedField(name: string, value: unknown, decode: Decode): unknown {
  if (schemaFields.has(name)) return decode(value);
  if (schemaLists.has(name) && Array.isArray(value)) return value.map(decode);
  if (schemaMaps.has(name) && isFields(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item)]));
  if (name === "x-kubernetes-validations" && Array.isArray(value)) return value.map(decodedRule);
  return value;
}

/** The rule itself is written also when it is empty. */
function decodedRule(rule: unknown): unknown {
  if (rule !== null && !isFields(rule)) return rule;
  return { rule: "", ...Object.fromEntries(Object.entries(rule ?? {}).filter(([, value]) => value !== null)) };
}
