import type { EventSource } from "../api/index.ts";
import { valueAt, type KubeObject } from "../../core/object/index.ts";
import { scriptProblem } from "../script/index.ts";
import { brokenRules } from "./cel-rules.ts";

/** A script or CEL rule that does not compile, and the index of its selector. */
export type ScriptDefect = {
  readonly selector: number | undefined;
  readonly field: "evaluate" | "evaluateCEL" | "aggregatedSelection";
  readonly reason: string;
};

/** The path of a defect in an EventSource. In the flat form of 2023 the only script is in the spec itself. */
export function scriptDefectPath({ selector, field }: ScriptDefect, object: KubeObject): string {
  const isFlat = valueAt(object, "spec.resourceSelectors") === undefined;
  return selector === undefined ? `spec.${field}` : isFlat ? "spec.script" : `spec.resourceSelectors[${selector}].${field}`;
}

/** The compile errors of the scripts and CEL rules of an EventSource. */
export function validateScripts({ metadata, selectors, aggregatedSelection }: EventSource): readonly ScriptDefect[] {
  const defectIn = (text: string, field: ScriptDefect["field"], selector?: number): readonly ScriptDefect[] => {
    const reason = scriptProblem(text, metadata.name);
    return reason === undefined ? [] : [{ selector, field, reason }];
  };
  return [
    ...selectors.flatMap(({ evaluate, evaluateCEL }, selector) => [
      ...defectIn(evaluate, "evaluate", selector),
      ...brokenRules(evaluateCEL).map((reason): ScriptDefect => ({ selector, field: "evaluateCEL", reason })),
    ]),
    ...defectIn(aggregatedSelection, "aggregatedSelection"),
  ];
}
