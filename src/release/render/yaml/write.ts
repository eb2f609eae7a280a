import { toPlain, type Value } from "../../../template/index.ts";
import { writeYaml } from "../../../yaml/index.ts";

/** A value as YAML in Helm's manner, without the line break at the end. Throws a GoError where it cannot be JSON. */
export function yamlText(value: Value): string {
  const text = writeYaml(toPlain(value));
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}
