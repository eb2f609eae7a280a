import { GoError, goFunction, type FunctionTable, type GoValue } from "../../../lang/template/index.ts";
import { readToml, writeToml } from "../../../lang/toml/index.ts";
import { mapFrom } from "./json.ts";

/** TOML. */
export const tomlFunctions: FunctionTable = {
  // Encoder errors become text; a nil value is an error.
  toToml: goFunction("func(interface {}) string", (value: GoValue) => {
    try {
      return writeToml(value);
    } catch (error) {
      if (error instanceof GoError && !error.message.startsWith("reflect:")) return error.message;
      throw error;
    }
  }),
  mustToToml: goFunction("func(interface {}) string", (value: GoValue) => writeToml(value)),
  fromToml: goFunction("func(string) map[string]interface {}", (text: string) => mapFrom(() => readToml(text))),
};
