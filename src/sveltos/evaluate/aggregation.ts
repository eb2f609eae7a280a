import { isKubeObject, refOf, type KubeObject } from "../../core/object/index.ts";
import { compileScript, aggregationLimits, ScriptFault, type Script, type ScriptEnvironment } from "../script/index.ts";
import { tableField, messageIn, describeValue, tableOf } from "./match-status.ts";
import { compareRefs } from "./sorted-matches.ts";
import type { Match } from "./evaluation-result.ts";

/** The matches that the script returned, or why it failed. */
export type AggregationResult = { readonly matches: readonly Match[]; readonly message: string } | { readonly failed: string };

export type Aggregation = (objects: readonly KubeObject[]) => AggregationResult;

/**
 * Compiles the script of `aggregatedSelection`, which gets all objects that the selectors matched. The objects that it
 * returns are the matches, even if it has changed or invented them. Without objects the script does not run.
 */
export function compileAggregation(text: string, title: string, environment: ScriptEnvironment): Aggregation {
  let script: Script;
  try {
    script = compileScript(text, title, { global: "resources", limits: aggregationLimits, environment });
  } catch (error) {
    const failure = failed(error);
    return () => failure;
  }
  return (objects) => (objects.length === 0 ? { matches: [], message: "" } : runAggregation(script, objects));
}

function runAggregation(script: Script, objects: readonly KubeObject[]): AggregationResult {
  try {
    const table = tableOf(script(objects));
    return { matches: matchesOf(resourcesIn(table)), message: messageIn(table) };
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): AggregationResult {
  if (!(error instanceof ScriptFault)) throw error;
  return { failed: error.message };
}

/** An empty Lua table may arrive as an object; it means an empty list. */
function resourcesIn(table: Readonly<Record<string, unknown>>): readonly unknown[] {
  const resources = tableField(table, "resources") ?? [];
  if (Array.isArray(resources)) return resources;
  if (typeof resources === "object" && Object.keys(resources).length === 0) return [];
  throw new ScriptFault(`evaluate returned resources = ${describeValue(resources)}; expected a list of objects`);
}

function matchesOf(objects: readonly unknown[]): readonly Match[] {
  const matches = objects.map((object, index): Match => {
    if (!isKubeObject(object) || typeof object.metadata.name !== "string")
      throw new ScriptFault(`evaluate returned resources[${index + 1}] without apiVersion, kind or metadata.name; expected an object`);
    return { ref: refOf(object), object, message: "" };
  });
  return matches
    .toSorted((a, b) => compareRefs(a.ref, b.ref))
    .filter((match, index, sorted) => index === 0 || compareRefs(sorted[index - 1]!.ref, match.ref) !== 0);
}
