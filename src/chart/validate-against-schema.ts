import { LimitError, withinCost } from "../core/cost/index.ts";
import { Fault } from "../core/fault/index.ts";
import { GoMap, typeName } from "../lang/template/index.ts";
import type { Chart } from "./chart.ts";
import { schemaViolation, type RemoteSchemas } from "./schema/index.ts";
import { ignoreWarning, type Warn } from "./warning.ts";

/**
 * Validates the coalesced values of a chart and its subcharts against their `values.schema.json`. Returns the
 * violations in Helm's words, or undefined. `remote` has the schemas that they refer to over HTTP; without it there are
 * none. Models helm pkg/chart/common/util ValidateAgainstSchema
 */
export function validateAgainstSchema(chart: Chart, values: GoMap, warn: Warn = ignoreWarning, remote?: RemoteSchemas): string | undefined {
  const found = withinCost({}, () => [...problemsOf(chart, values, warn, remote)]);
  // A schema that cannot be used has a message without a last newline. Helm writes the next chart's name after it.
  return found.length === 0 ? undefined : found.reduce((text, next) => text + (text.endsWith("\n") ? "" : "\n") + next);
}

/** Helm's heading for the violations. */
export const schemaPreamble = "values don't meet the specifications of the schema(s) in the following chart(s):\n";

function* problemsOf({ metadata, schema, dependencies }: Chart, values: GoMap, warn: Warn, remote?: RemoteSchemas): Generator<string> {
  const problem = schema === undefined ? undefined : withinLimits(metadata.name, () => schemaViolation(schema, values, warn, remote));
  if (problem !== undefined) yield `${metadata.name}:\n${problem}`;
  for (const child of dependencies) {
    const { name } = child.metadata;
    const below = values.get(name);
    if (below === undefined || below === null) continue;
    if (below instanceof GoMap) yield* problemsOf(child, below, warn, remote);
    else yield `${name}:\ninvalid type for values: expected object (map), got ${typeName(below)}\n`;
  }
}

function withinLimits<Result>(chart: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof LimitError
      ? new Fault(`validate values by values.schema.json of chart ${chart}`, error, { final: true })
      : error;
  }
}
