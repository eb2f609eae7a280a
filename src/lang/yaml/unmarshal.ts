import { firstDocument } from "./parse/parse-yaml.ts";
import type { ParserOptions } from "./parse/parser.ts";
import type { DecodeTarget } from "./parse/decode-target.ts";
import { YamlFault } from "./yaml-fault.ts";

/** The first document of a text as sigs.k8s.io/yaml unmarshals it, null if there is none. Its message is that of the fault. */
export function unmarshalFirst(text: string, target: DecodeTarget, options: ParserOptions = {}): unknown {
  try {
    return firstDocument(text, target, options)?.value ?? null;
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    throw new YamlFault(`error converting YAML to JSON: ${error.message}`, error.problem, error.line, error.character);
  }
}

/** What encoding/json says of a value that does not fit where it should go. */
export function unmarshalTypeError(found: string, place: string): YamlFault {
  const problem = `json: cannot unmarshal ${found} into ${place}`;
  return new YamlFault(`error unmarshaling JSON: while decoding JSON: ${problem}`, problem, 1);
}

/**
 * The map that a text holds, as `yaml.Unmarshal` into a `map[string]interface {}` gives it: Helm reads values, and
 * `fromYaml` its argument, in this way. No document, or null, is an empty map. Throws a YamlFault that says what Helm says.
 */
export function unmarshalMap(text: string, target: DecodeTarget): unknown {
  const value = unmarshalFirst(text, target);
  if (value === null) return target.newMap();
  if (!target.isMap(value)) throw unmarshalTypeError(jsonType(value, target), "Go value of type map[string]interface {}");
  return value;
}

/** The list that a text holds, as `fromYamlArray` reads it. */
export function unmarshalList(text: string, target: DecodeTarget): unknown {
  const value = unmarshalFirst(text, target);
  if (value === null) return target.newList([]);
  if (!target.isList(value)) throw unmarshalTypeError(jsonType(value, target), "Go value of type []interface {}");
  return value;
}

function jsonType(value: unknown, target: DecodeTarget): string {
  if (target.isMap(value)) return "object";
  if (target.isList(value)) return "array";
  return typeof value === "string" ? "string" : typeof value === "boolean" ? "bool" : "number";
}
