import { firstDocument } from "./parse/parse-yaml.ts";
import type { ParserOptions } from "./parse/parser.ts";
import type { DecodeTarget } from "./parse/decode-target.ts";
import { YamlFault } from "./yaml-fault.ts";

/** The value of the first document, as sigs.k8s.io/yaml unmarshals it; null if there is none. Throws a YamlFault with its message. */
export function unmarshalFirst(text: string, target: DecodeTarget, options: ParserOptions = {}): unknown {
  try {
    return firstDocument(text, target, options)?.value ?? null;
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    throw new YamlFault(`error converting YAML to JSON: ${error.message}`, error.problem, error.line, error.character);
  }
}

/** The error of encoding/json for a value of the wrong type. */
export function unmarshalTypeError(found: string, place: string): YamlFault {
  const problem = `json: cannot unmarshal ${found} into ${place}`;
  return new YamlFault(`error unmarshaling JSON: while decoding JSON: ${problem}`, problem, 1);
}

/**
 * Unmarshals a text into a `map[string]interface {}`, as Helm reads values and `fromYaml` its argument. No document or null is an
 * empty map. Throws a YamlFault with Helm's message.
 */
export function unmarshalMap(text: string, target: DecodeTarget): unknown {
  const value = unmarshalFirst(text, target);
  if (value === null) return target.newMap();
  if (!target.isMap(value)) throw unmarshalTypeError(jsonType(value, target), "Go value of type map[string]interface {}");
  return value;
}

/** Unmarshals a text into a list, as `fromYamlArray` does. */
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
