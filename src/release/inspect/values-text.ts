import { coalesceValues, type Warn } from "../../chart/index.ts";
import type { Fields } from "../../core/object/index.ts";
import { jsonText } from "../../lang/sprig/index.ts";
import { fromPlain, toPlain } from "../../lang/template/index.ts";
import { writeYaml } from "../../lang/yaml/index.ts";
import type { Revision } from "../record/index.ts";
import { recordedValues } from "../render/index.ts";

/** How Helm prints what has fields. */
export type RecordFormat = "table" | "json" | "yaml";

type ValuesOptions = {
  /** The values that the chart was rendered with, its defaults included. Default: what the user gave. */
  readonly all?: boolean;
  readonly warn?: Warn;
};

/** The values of a revision. Models helm pkg/cmd/get_values.go */
export function valuesText(revision: Revision, output: RecordFormat, { all = false, warn }: ValuesOptions = {}): string {
  const values = all ? computedValues(revision, warn) : suppliedValues(revision);
  if (output === "json") return jsonText(fromPlain(values));
  const yaml = yamlText(values);
  return output === "yaml" ? yaml : `${all ? "COMPUTED" : "USER-SUPPLIED"} VALUES:\n${yaml}`;
}

/** Helm stores no empty map, and reads its absence as null. */
function suppliedValues({ config }: Revision): Fields | null {
  return Object.keys(config).length === 0 ? null : config;
}

function computedValues(revision: Revision, warn: Warn | undefined): unknown {
  const { chart, config } = recordedValues(revision);
  return toPlain(coalesceValues(chart, config, warn === undefined ? {} : { warn }));
}

/** Only the last line break goes: those before it belong to a text with `|+`. */
export function yamlText(value: unknown): string {
  return writeYaml(value).replace(/\n$/, "");
}
