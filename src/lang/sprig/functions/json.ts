import { GoError, goFunction, type FunctionTable, type Value } from "../../template/index.ts";
import { parseJson } from "../json/read.ts";
import { indentedJson, jsonText } from "../json/write.ts";

/** JSON. The functions that begin with `must` tell what went wrong; of the others most are silent. */
export const jsonFunctions: FunctionTable = {
  toJson: goFunction("func(interface {}) string", (value: Value) => silently(() => jsonText(value), "")),
  mustToJson: goFunction("func(interface {}) (string, error)", (value: Value) => jsonText(value)),
  toPrettyJson: goFunction("func(interface {}) string", (value: Value) => silently(() => indentedJson(jsonText(value)), "")),
  mustToPrettyJson: goFunction("func(interface {}) (string, error)", (value: Value) => indentedJson(jsonText(value))),
  toRawJson: goFunction("func(interface {}) string", (value: Value) => jsonText(value, { html: false })),
  mustToRawJson: goFunction("func(interface {}) (string, error)", (value: Value) => jsonText(value, { html: false })),
  fromJson: goFunction("func(string) interface {}", (text: string) => silently(() => parseJson(text), null)),
  mustFromJson: goFunction("func(string) (interface {}, error)", (text: string) => parseJson(text)),
};

function silently<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof GoError) return otherwise;
    throw error;
  }
}
