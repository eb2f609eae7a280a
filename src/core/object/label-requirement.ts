import { Fault } from "../fault/index.ts";
import { labelKeyProblems, labelValueProblems } from "./name-validation.ts";

/** One term of a label selector, spelled as in the string form. */
export type LabelRequirement = {
  readonly key: string;
  readonly operator: "=" | "==" | "!=" | "in" | "notin" | "exists" | "!" | "gt" | "lt";
  readonly values: readonly string[];
};

/** Creates a requirement and validates its key and values. Models apimachinery pkg/labels NewRequirement. */
export function newRequirement(key: string, operator: LabelRequirement["operator"], values: readonly string[]): LabelRequirement {
  const problems: string[] = [];
  const badKey = labelKeyProblems(key);
  if (badKey.length > 0) problems.push(invalidValueText("key", key, badKey.join("; ")));
  const badCount = countProblem(operator, values.length);
  if (badCount !== undefined) problems.push(invalidValueText("values", values, badCount));
  if (operator === "gt" || operator === "lt")
    values.forEach((value, at) => {
      if (!isInteger(value))
        problems.push(invalidValueText(`values[${at}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"));
    });
  values.forEach((value, at) => {
    const bad = labelValueProblems(value);
    if (bad.length > 0) problems.push(invalidValueText(`values[${at}][${key}]`, value, bad.join("; ")));
  });
  if (problems.length > 0) throw new Fault(aggregate(problems), undefined, { final: true });
  return { key, operator, values: [...values] };
}

/** The API server's message for an invalid value. */
export function invalidValueText(path: string, value: unknown, detail: string): string {
  return `${path}: Invalid value: ${JSON.stringify(value)}: ${detail}`;
}

function countProblem(operator: LabelRequirement["operator"], count: number): string | undefined {
  switch (operator) {
    case "in":
    case "notin":
      return count === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined;
    case "=":
    case "==":
    case "!=":
      return count === 1 ? undefined : "exact-match compatibility requires one single value";
    case "exists":
    case "!":
      return count === 0 ? undefined : "values set must be empty for exists and does not exist";
    case "gt":
    case "lt":
      return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
  }
}

function isInteger(text: string): boolean {
  return /^[+-]?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

function aggregate(problems: readonly string[]): string {
  const [first = "", ...others] = new Set(problems);
  return others.length === 0 ? first : `[${[first, ...others].join(", ")}]`;
}
