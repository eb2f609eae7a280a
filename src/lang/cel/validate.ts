import type { CallExpr, Expr, ListExpr, MapExpr } from "./ast.ts";
import { CelFailure } from "./failure.ts";
import { wrongFormatCall } from "./library/format-check.ts";
import { compileCelRegex } from "./regex.ts";
import { mostIssues, type Issue } from "./issue.ts";
import { parseCelDuration, parseTimestamp } from "./time.ts";
import { isSameType, printType, withinOptional, type CelType } from "./type.ts";

type TypeOf = (expr: Expr) => CelType;

/** Validates literals in places that take only some of them. Models cel-go cel/validator.go */
export function validateLiterals(expr: Expr, typeOf: TypeOf, mayBeMixed: boolean): readonly Issue[] {
  return validate(expr, { typeOf, calls: new Map() }, mayBeMixed);
}

/** `calls`: the issues of the calls seen so far. Macros use a call twice; it is validated once. */
type Validation = { readonly typeOf: TypeOf; readonly calls: Map<CallExpr, readonly Issue[]> };

function validate(expr: Expr, validation: Validation, isExempt: boolean): readonly Issue[] {
  if (expr.op !== "call") return issuesIn(expr, validation, isExempt);
  const issues = validation.calls.get(expr) ?? issuesIn(expr, validation, isExempt).slice(0, mostIssues);
  validation.calls.set(expr, issues);
  return issues;
}

/** `isExempt`: lists in the arguments of `format` may have mixed types. */
function issuesIn(expr: Expr, validation: Validation, isExempt: boolean): readonly Issue[] {
  const { typeOf } = validation;
  const below = (parts: readonly (Expr | undefined)[], exempt = isExempt): readonly Issue[] =>
    parts.flatMap((part) => (part === undefined ? [] : validate(part, validation, exempt)));
  switch (expr.op) {
    case "literal":
    case "ident":
    case "struct":
      return [];
    case "select":
      return below([expr.operand]);
    case "call":
      return [
        ...wrongArgument(expr),
        ...wrongFormatCall(expr, typeOf),
        ...below([expr.target, ...expr.args], isExempt || expr.name === "format"),
      ];
    case "list":
      return [...(isExempt ? [] : mixedList(expr, typeOf)), ...below(expr.elements.map(({ value }) => value))];
    case "map":
      return [...(isExempt ? [] : mixedMap(expr, typeOf)), ...below(expr.entries.flatMap(({ key, value }) => [key, value]))];
    case "fold":
      return below([expr.range, expr.condition, expr.body]);
    case "bind":
      return below([expr.value, expr.body]);
  }
}

function mixedList({ elements: [first, ...rest] }: ListExpr, typeOf: TypeOf): readonly Issue[] {
  if (first === undefined) return [];
  const expected = held(typeOf(first.value), first.isOptional);
  const other = rest.find(({ value, isOptional }) => !isSameType(held(typeOf(value), isOptional), expected));
  return other === undefined ? [] : [mismatch(other.value, expected, held(typeOf(other.value), other.isOptional))];
}

function mixedMap({ entries: [first, ...rest] }: MapExpr, typeOf: TypeOf): readonly Issue[] {
  if (first === undefined) return [];
  const [keys, values] = [typeOf(first.key), held(typeOf(first.value), first.isOptional)];
  return rest.flatMap(({ key, value, isOptional }) => {
    const type = held(typeOf(value), isOptional);
    const wrongKey = isSameType(typeOf(key), keys) ? [] : [mismatch(key, keys, typeOf(key))];
    return isSameType(type, values) ? wrongKey : [...wrongKey, mismatch(value, values, type)];
  });
}

function held(type: CelType, isOptional: boolean): CelType {
  return (isOptional ? withinOptional(type) : undefined) ?? type;
}

function mismatch({ at }: Expr, expected: CelType, found: CelType): Issue {
  return { at, message: `expected type '${printType(expected)}' but found '${printType(found)}'` };
}

function wrongArgument({ name, target, args }: CallExpr): readonly Issue[] {
  const argument = name === "matches" && target === undefined ? args[1] : args[0];
  if (argument?.op !== "literal") return [];
  // cel-go converts a number of nanoseconds to a duration, but its validator rejects the literal.
  const isRight = typeof argument.value === "string" ? (checks[name]?.(argument.value) ?? true) : name !== "duration";
  return isRight ? [] : [{ at: argument.at, message: `invalid ${name} argument` }];
}

const checks: Readonly<Record<string, ((text: string) => boolean) | undefined>> = {
  duration: (text) => parseCelDuration(text) !== undefined,
  timestamp: (text) => parseTimestamp(text) !== undefined,
  matches: compiles,
};

function compiles(pattern: string): boolean {
  try {
    compileCelRegex(pattern);
    return true;
  } catch (cause) {
    if (cause instanceof CelFailure) return false;
    throw cause;
  }
}
