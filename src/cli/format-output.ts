import { writeYaml } from "../lang/yaml/index.ts";

/** Formats a result as JSON or YAML. */
export function formatOutput(data: unknown, output: "json" | "yaml"): string {
  return output === "json" ? JSON.stringify(data, undefined, 2) : writeYaml(data).trimEnd();
}
