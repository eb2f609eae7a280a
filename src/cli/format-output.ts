import { writeYaml } from "../lang/yaml/index.ts";

/** A result as data, in the format that the flags name. */
export function formatOutput(data: unknown, output: "json" | "yaml"): string {
  return output === "json" ? JSON.stringify(data, undefined, 2) : writeYaml(data).trimEnd();
}
