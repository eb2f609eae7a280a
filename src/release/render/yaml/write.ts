import { GoError, type GoValue } from "../../../lang/template/index.ts";
import { YamlFault, marshalPretty, marshalYaml } from "../../../lang/yaml/index.ts";
import { prettyView } from "./pretty-view.ts";
import { numberThroughJson, throughJsonView } from "./view.ts";

/** A value as YAML in Helm's style, without the final line break. Throws a GoError when it has no JSON form. */
export function yamlText(value: GoValue): string {
  return written(() => marshalYaml(typeof value === "number" ? numberThroughJson(value) : value, throughJsonView));
}

/** The same with indented lists, as a later version of the encoder writes them. */
export function prettyYaml(value: GoValue): string {
  return written(() => marshalPretty(value, prettyView));
}

function written(write: () => string): string {
  try {
    const text = write();
    return text.endsWith("\n") ? text.slice(0, -1) : text;
  } catch (error) {
    if (error instanceof YamlFault) throw new GoError(error.message, { cause: error });
    // Only cyclic values recurse this deep.
    if (error instanceof RangeError) throw new GoError("json: unsupported value: encountered a cycle", { cause: error });
    throw error;
  }
}
