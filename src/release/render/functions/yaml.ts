import { GoError, goFunction, type FunctionTable, type GoValue } from "../../../lang/template/index.ts";
import { readYamlList, readYamlMap } from "../yaml/read.ts";
import { prettyYaml, yamlText } from "../yaml/write.ts";
import { listFrom, mapFrom } from "./json.ts";

/** YAML. */
export const yamlFunctions: FunctionTable = {
  toYaml: goFunction("func(interface {}) string", (value: GoValue) => orNothing(() => yamlText(value))),
  mustToYaml: goFunction("func(interface {}) string", (value: GoValue) => yamlText(value)),
  toYamlPretty: goFunction("func(interface {}) string", (value: GoValue) => orNothing(() => prettyYaml(value))),
  fromYaml: goFunction("func(string) map[string]interface {}", (text: string) => mapFrom(() => readYamlMap(text))),
  fromYamlArray: goFunction("func(string) []interface {}", (text: string) => listFrom(() => readYamlList(text))),
};

function orNothing(write: () => string): string {
  try {
    return write();
  } catch (error) {
    if (error instanceof GoError) return "";
    throw error;
  }
}
