import { GoMap, typeName } from "../lang/template/index.ts";
import type { Chart } from "./chart.ts";
import { schemaViolation } from "./schema/index.ts";
import { ignoreWarning, type Warn } from "./warning.ts";

/**
 * Validates the coalesced values of a chart and its subcharts against their `values.schema.json`. Returns the
 * violations in Helm's words, or undefined. Models helm pkg/chart/common/util ValidateAgainstSchema
 */
export function validateAgainstSchema(chart: Chart, values: GoMap, warn: Warn = ignoreWarning): string | undefined {
  const found = [...problemsOf(chart, values, warn)].join("");
  return found === "" ? undefined : found;
}

/** Helm's heading for the violations. */
export const schemaPreamble = "values don't meet the specifications of the schema(s) in the following chart(s):\n";

function* problemsOf({ metadata, schema, dependencies }: Chart, values: GoMap, warn: Warn): Generator<string> {
  const problem = schema === undefined ? undefined : schemaViolation(schema, values, warn);
  if (problem !== undefined) yield `${metadata.name}:\n${problem}`;
  for (const child of dependencies) {
    const { name } = child.metadata;
    const below = values.get(name);
    if (below === undefined || below === null) continue;
    if (below instanceof GoMap) yield* problemsOf(child, below, warn);
    else yield `${name}:\ninvalid type for values: expected object (map), got ${typeName(below)}\n`;
  }
}
