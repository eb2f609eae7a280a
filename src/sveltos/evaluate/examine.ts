import type { EventSource } from "../api/index.ts";
import { compileScript, ScriptFault } from "../script/index.ts";
import { brokenRules } from "./cel-rules.ts";

/** A script or a rule that can never be asked, and where it stands among the selectors. */
export type Defect = {
  readonly selector: number | undefined;
  readonly field: "evaluate" | "evaluateCEL" | "aggregatedSelection";
  readonly reason: string;
};

/** What is wrong with the scripts and rules of an EventSource, whatever objects there are. */
export function examine({ metadata, selectors, aggregatedSelection }: EventSource): readonly Defect[] {
  const defects: Defect[] = selectors.flatMap(({ evaluate, evaluateCEL }, selector) => [
    ...scriptDefects(evaluate, metadata.name).map((reason): Defect => ({ selector, field: "evaluate", reason })),
    ...brokenRules(evaluateCEL).map((reason): Defect => ({ selector, field: "evaluateCEL", reason })),
  ]);
  const aggregation = scriptDefects(aggregatedSelection, metadata.name);
  return [...defects, ...aggregation.map((reason): Defect => ({ selector: undefined, field: "aggregatedSelection", reason }))];
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
