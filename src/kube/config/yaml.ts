import { dump, load } from "js-yaml";

/** Reads one YAML document; what is wrong with it is thrown with its line. */
export function readYaml(text: string): unknown {
  return load(text);
}

export function writeYaml(value: unknown): string {
  return dump(value, { lineWidth: -1 });
}
