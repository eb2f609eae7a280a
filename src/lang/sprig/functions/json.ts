import { GoError, goFunction, type FunctionTable, type GoValue } from "../../template/index.ts";
import { parseJson } from "../json/read.ts";
import { indentedJson, jsonText } from "../json/write.ts";

/** JSON. The functions that begin with `must` return errors; most others ignore them. */
export const sprigJsonFunctions: FunctionTable = {
  toJson: goFunction("func(interface {}) string", (value: GoValue) => silently(() => jsonText(value), "")),
  mustToJson: goFunction("func(interface {}) (string, error)", (value: GoValue) => jsonText(value)),
  toPrettyJson: goFunction("func(interface {}) string", (value: GoValue) => silently(() => indentedJson(jsonText(value)), "")),
  mustToPrettyJson: goFunction("func(interface {}) (string, error)", (value: GoValue) => indentedJson(jsonText(value))),
  toRawJson: goFunction("func(interface {}) string", (value: GoValue) => jsonText(value, { html: false })),
  mustToRawJson: goFunction("func(interface {}) (string, error)", (value: GoValue) => jsonText(value, { html: false })),
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
