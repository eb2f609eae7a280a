import type { CelType } from "./type.ts";
import type { CelValue } from "./value.ts";

/** An expression. `at` is the index in the source that messages point to. */
export type Expr = LiteralExpr | IdentExpr | SelectExpr | CallExpr | ListExpr | MapExpr | StructExpr | FoldExpr | BindExpr;

type LiteralExpr = { readonly op: "literal"; readonly at: number; readonly value: CelValue; readonly type: CelType };

/** A name. One that begins with a dot is looked up in the outermost scope only. */
export type IdentExpr = { readonly op: "ident"; readonly at: number; readonly name: string };

/** `operand.field`; `has(operand.field)` when `use` is `test`, `operand.?field` when it is `optional`. */
export type SelectExpr = {
  readonly op: "select";
  readonly at: number;
  readonly operand: Expr;
  readonly field: string;
  readonly use: "value" | "test" | "optional";
};

/** A call. Operators are calls of functions with names such as `_+_`; `_&&_` and `_||_` take any number of arguments. */
export type CallExpr = {
  readonly op: "call";
  readonly at: number;
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
};

export type ListExpr = {
  readonly op: "list";
  readonly at: number;
  readonly elements: readonly { readonly value: Expr; readonly isOptional: boolean }[];
};

export type MapExpr = {
  readonly op: "map";
  readonly at: number;
  readonly entries: readonly { readonly key: Expr; readonly value: Expr; readonly isOptional: boolean }[];
};

type StructExpr = { readonly op: "struct"; readonly at: number; readonly name: string };

export type FoldMacro = "all" | "exists" | "existsOne" | "map" | "filter" | "transformList" | "transformMap" | "transformMapEntry";

/** A comprehension macro over a list or a map. */
export type FoldExpr = {
  readonly op: "fold";
  readonly at: number;
  readonly macro: FoldMacro;
  readonly range: Expr;
  readonly variable: string;
  /** The second variable. With it the first one is an index or a key. */
  readonly second: string | undefined;
  /** The condition under which an element is transformed. */
  readonly condition: Expr | undefined;
  readonly body: Expr;
};

/** `cel.bind(name, value, body)`. */
export type BindExpr = { readonly op: "bind"; readonly at: number; readonly name: string; readonly value: Expr; readonly body: Expr };

/** The dotted name that an expression spells; undefined when it has anything but names and dots. */
export function dottedName(expr: Expr): string | undefined {
  if (expr.op === "ident") return expr.name;
  if (expr.op !== "select" || expr.use !== "value") return undefined;
  const before = dottedName(expr.operand);
  return before === undefined ? undefined : `${before}.${expr.field}`;
}
