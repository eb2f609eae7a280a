import {
  GoError,
  GoList,
  GoMap,
  dict,
  goFunction,
  anyList,
  nilList,
  typeName,
  types,
  type FunctionTable,
  type GoValue,
} from "../../../lang/template/index.ts";
import { jsonText, parseJson } from "../../../lang/sprig/index.ts";

/** JSON as Helm does it: unwritable values become an empty string, and unreadable ones an error value. */
export const helmJsonFunctions: FunctionTable = {
  toJson: goFunction("func(interface {}) string", (value: GoValue) => {
    try {
      return jsonText(value);
    } catch (error) {
      if (error instanceof GoError) return "";
      throw error;
    }
  }),
  mustToJson: goFunction("func(interface {}) string", (value: GoValue) => jsonText(value)),
  fromJson: goFunction("func(string) map[string]interface {}", (text: string) => mapFrom(() => parseJson(text))),
  fromJsonArray: goFunction("func(string) []interface {}", (text: string) => listFrom(() => parseJson(text))),
};

/** The map that was read, an empty map for null, or a map with the key Error. */
export function mapFrom(read: () => GoValue): GoMap {
  try {
    const value = read();
    return value instanceof GoMap ? value : value === null ? dict() : refuse(value, types.anyMap.name);
  } catch (error) {
    if (error instanceof GoError) return dict({ Error: error.message });
    throw error;
  }
}

/** The same for lists. */
export function listFrom(read: () => GoValue): GoList {
  try {
    const value = read();
    return value instanceof GoList ? value : value === null ? nilList() : refuse(value, types.anyList.name);
  } catch (error) {
    if (error instanceof GoError) return anyList([error.message]);
    throw error;
  }
}

function refuse(value: GoValue, wanted: string): never {
  throw new GoError(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${wanted}`);
}

function jsonKind(value: GoValue): string {
  if (value instanceof GoMap) return "object";
  if (value instanceof GoList) return "array";
  const name = typeName(value);
  return name === "float64" ? "number" : name;
}
