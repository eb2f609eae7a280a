import type { CallExpr, Expr } from "../ast.ts";
import { CelFailure } from "../failure.ts";
import type { Issue } from "../issue.ts";
import { printType, type CelType } from "../type.ts";
import { clauseAt, clauseRules } from "./format.ts";

/** Checks `"…".format([…])` when both sides are constants. Models cel-go ext/formatting.go stringFormatValidator */
export function wrongFormatCall({ at, name, target, args: [list] }: CallExpr, typeOf: (expr: Expr) => CelType): readonly Issue[] {
  if (name !== "format" || target?.op !== "literal" || typeof target.value !== "string" || list?.op !== "list") return [];
  try {
    return wrongElement(
      target.value,
      list.elements.map(({ value }) => value),
      typeOf,
    );
  } catch (cause) {
    if (cause instanceof CelFailure) return [{ at, message: cause.message }];
    throw cause;
  }
}

function wrongElement(text: string, elements: readonly Expr[], typeOf: (expr: Expr) => CelType): readonly Issue[] {
  let [from, next] = [0, 0];
  for (let found = text.indexOf("%"); found >= 0; found = text.indexOf("%", from)) {
    if (text[found + 1] === "%") {
      from = found + 2;
      continue;
    }
    const element = elements[next];
    if (element === undefined) throw new CelFailure(`index ${next} out of range`);
    if (found + 1 >= text.length) throw new CelFailure("unexpected end of string");
    const { clause, end } = clauseAt(text, found + 1);
    const rule = clauseRules[clause];
    if (rule === undefined) throw new CelFailure(`could not parse formatting clause: unrecognized formatting clause "${clause}"`);
    const { kind } = typeOf(element);
    if (kind !== "dyn" && !rule.kinds.includes(kind)) {
      return [{ at: element.at, message: `error during formatting: ${rule.message}, was given ${printType(typeOf(element))}` }];
    }
    [from, next] = [end, next + 1];
  }
  return [];
}
