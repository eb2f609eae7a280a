import type { Value } from "../../../template/index.ts";
import { yamlText } from "./write.ts";

export function prettyYaml(value: Value): string {
  return yamlText(value);
}
