import { GoError, goFunction, type FunctionTable, type Value } from "../../../template/index.ts";
import { prettyYaml } from "../yaml/pretty.ts";
import { readYamlValue } from "../yaml/read.ts";
import { yamlText } from "../yaml/write.ts";
import { listFrom, mapFrom } from "./json.ts";

/** Said before what is wrong with the kind of value that was read: sigs.k8s.io/yaml reads by way of JSON. */
const reading = "error unmarshaling JSON: while decoding JSON: ";

/** YAML. */
export const yamlFunctions: FunctionTable = {
  toYaml: goFunction("func(interface {}) string", (value: Value) => orNothing(() => yamlText(value))),
  mustToYaml: goFunction("func(interface {}) string", (value: Value) => yamlText(value)),
  toYamlPretty: goFunction("func(interface {}) string", (value: Value) => orNothing(() => prettyYaml(value))),
  fromYaml: goFunction("func(string) map[string]interface {}", (text: string) => mapFrom(() => readYamlValue(text), reading)),
  fromYamlArray: goFunction("func(string) []interface {}", (text: string) => listFrom(() => readYamlValue(text), reading)),
};

function orNothing(write: () => string): string {
  try {
    return write();
  } catch (error) {
    if (error instanceof GoError) return "";
    throw error;
  }
}
