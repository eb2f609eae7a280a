import type { EventSource } from "../api/index.ts";
import { compileScript, ScriptFault } from "../script/index.ts";
import { brokenRules } from "./cel-rules.ts";

/** A script or CEL rule that does not compile, and the index of its selector. */
export type ScriptDefect = {
  readonly selector: number | undefined;
  readonly field: "evaluate" | "evaluateCEL" | "aggregatedSelection";
  readonly reason: string;
};

/** The compile errors of the scripts and CEL rules of an EventSource. */
export function validateScripts({ metadata, selectors, aggregatedSelection }: EventSource): readonly ScriptDefect[] {
  const defects: ScriptDefect[] = selectors.flatMap(({ evaluate, evaluateCEL }, selector) => [
    ...scriptDefects(evaluate, metadata.name).map((reason): ScriptDefect => ({ selector, field: "evaluate", reason })),
    ...brokenRules(evaluateCEL).map((reason): ScriptDefect => ({ selector, field: "evaluateCEL", reason })),
  ]);
  const aggregation = scriptDefects(aggregatedSelection, metadata.name);
  return [...defects, ...aggregation.map((reason): ScriptDefect => ({ selector: undefined, field: "aggregatedSelection", reason }))];
}

function scriptDefects(text: string, title: string): readonly string[] {
  if (text.trim() === "") return [];
  try {
    compileScript(text, title, { global: "obj" });
    return [];
  } catch (error) {
    if (!(error instanceof ScriptFault)) throw error;
    return [error.message];
  }
}
