import type { CallExpr, Expr, FoldExpr, FoldMacro, IdentExpr, SelectExpr } from "./ast.ts";

/** The expansion of a macro, or the position and message of its error; undefined when the call is not a macro. */
type Expansion = { readonly expr: Expr } | { readonly at: number; readonly message: string } | undefined;

type Expand = (call: CallExpr, target: Expr) => Expansion;

/** Member macros by name and number of arguments. */
const macros: ReadonlyMap<string, Expand> = new Map<string, Expand>([
  ["all/2", quantifier("all")],
  ["exists/2", quantifier("exists")],
  ["exists_one/2", quantifier("existsOne")],
  ["map/2", oneVariable("map")],
  ["map/3", oneVariable("map")],
  ["filter/2", oneVariable("filter")],
  ["all/3", twoVariables("all")],
  ["exists/3", twoVariables("exists")],
  ["exists_one/3", twoVariables("existsOne")],
  ["existsOne/3", twoVariables("existsOne")],
  ["transformList/3", twoVariables("transformList")],
  ["transformList/4", twoVariables("transformList")],
  ["transformMap/3", twoVariables("transformMap")],
  ["transformMap/4", twoVariables("transformMap")],
  ["transformMapEntry/3", twoVariables("transformMapEntry")],
  ["transformMapEntry/4", twoVariables("transformMapEntry")],
  ["optMap/2", (call, target) => mapOptional(call, target, "optMap")],
  ["optFlatMap/2", (call, target) => mapOptional(call, target, "optFlatMap")],
  ["sortBy/2", sortBy],
]);

/** Expands a call if it is a macro. `extensions` adds the macros that Kubernetes leaves out. */
export function expandMacro(call: CallExpr, extensions: boolean): Expansion {
  const { target } = call;
  if (target === undefined) return call.name === "has" && call.args.length === 1 ? has(call) : undefined;
  if (extensions) {
    const extension = expandExtension(call, target);
    if (extension !== undefined) return extension;
  }
  return macros.get(`${call.name}/${call.args.length}`)?.(call, target);
}

function has({ at, args: [argument] }: CallExpr): Expansion {
  if (argument?.op !== "select" || argument.use !== "value") return { at: argument?.at ?? at, message: "invalid argument to has() macro" };
  const test: SelectExpr = { ...argument, at, use: "test" };
  return { expr: test };
}

const accumulators: ReadonlySet<string> = new Set(["@result", "__result__"]);

/** The variable that an argument names, or the error. */
function variableIn(argument: Expr | undefined, complaint: string): string | { at: number; message: string } {
  if (argument?.op !== "ident" || argument.name.startsWith(".")) return { at: argument?.at ?? 0, message: complaint };
  if (!accumulators.has(argument.name)) return argument.name;
  return { at: argument.at, message: "iteration variable overwrites accumulator variable" };
}

function quantifier(macro: FoldMacro): Expand {
  return (call, range) => fold(call, range, macro, "argument must be a simple name");
}

function oneVariable(macro: FoldMacro): Expand {
  return (call, range) => fold(call, range, macro, "argument is not an identifier");
}

function fold({ at, args }: CallExpr, range: Expr, macro: FoldMacro, complaint: string): Expansion {
  const variable = variableIn(args[0], complaint);
  if (typeof variable !== "string") return variable;
  return withBody({ op: "fold", at, macro, range, variable, second: undefined }, args.slice(1));
}

function twoVariables(macro: FoldMacro): Expand {
  return ({ at, args }, range) => {
    const variable = variableIn(args[0], "argument must be a simple name");
    if (typeof variable !== "string") return variable;
    const second = variableIn(args[1], "argument must be a simple name");
    if (typeof second !== "string") return second;
    if (variable === second) return { at: args[1]?.at ?? at, message: `duplicate variable name: ${second}` };
    return withBody({ op: "fold", at, macro, range, variable, second }, args.slice(2));
  };
}

function withBody(start: Omit<FoldExpr, "condition" | "body">, rest: readonly Expr[]): Expansion {
  const body = rest.at(-1);
  if (body === undefined) return undefined;
  return { expr: { ...start, condition: rest.length > 1 ? rest[0] : undefined, body } };
}

/** Expands `optMap` and `optFlatMap`. The target is evaluated twice, as in cel-go. */
function mapOptional({ at, args }: CallExpr, target: Expr, name: string): Expansion {
  const [variable, body] = args;
  if (variable?.op !== "ident" || body === undefined) {
    return { at: variable?.at ?? at, message: `${name}() variable name must be a simple identifier` };
  }
  const value: Expr = { op: "bind", at, name: variable.name, value: call(at, "value", target), body };
  const some = name === "optMap" ? call(at, "optional.of", undefined, value) : value;
  return { expr: call(at, "_?_:_", undefined, call(at, "hasValue", target), some, call(at, "optional.none", undefined)) };
}

function sortBy({ at, args }: CallExpr, target: Expr): Expansion {
  if (target.op === "literal" || target.op === "map") {
    return { at: target.at, message: "sortBy can only be applied to a list, identifier, comprehension, call or select expression" };
  }
  const input: IdentExpr = { op: "ident", at, name: "@__sortBy_input__" };
  const keys = fold({ op: "call", at, name: "map", target: input, args }, input, "map", "argument is not an identifier");
  if (keys === undefined || !("expr" in keys)) return keys;
  const body = call(at, "@sortByAssociatedKeys", input, keys.expr);
  return { expr: { op: "bind", at, name: input.name, value: target, body } };
}

function call(at: number, name: string, target: Expr | undefined, ...args: readonly Expr[]): CallExpr {
  return { op: "call", at, name, target, args };
}

function expandExtension({ at, name, args }: CallExpr, target: Expr): Expansion {
  if (target.op !== "ident") return undefined;
  if (target.name === "cel" && name === "bind" && args.length === 3) return bind(at, args);
  if (target.name !== "math" || (name !== "greatest" && name !== "least")) return undefined;
  return extreme(at, target.at, `math.${name}`, args);
}

function bind(at: number, [variable, value, body]: readonly Expr[]): Expansion {
  if (variable?.op !== "ident" || value === undefined || body === undefined) {
    return { at: variable?.at ?? at, message: "cel.bind() variable names must be simple identifiers" };
  }
  return { expr: { op: "bind", at, name: variable.name, value, body } };
}

/** `math.greatest` and `math.least` take any number of arguments, or one list. */
function extreme(at: number, start: number, name: string, args: readonly Expr[]): Expansion {
  const [first] = args;
  if (first === undefined) return { at: start, message: `${name}() requires at least one argument` };
  const wrong = args.find((argument) => !mayBeNumber(argument));
  const inner = name === "math.greatest" ? "math.@max" : "math.@min";
  if (args.length === 1) {
    if (first.op === "list" && first.elements.length > 0 && first.elements.every(({ value }) => mayBeNumber(value))) {
      return { expr: call(at, inner, undefined, first) };
    }
    if (wrong !== undefined || first.op === "map") return { at: first.at, message: `${name}() invalid single argument value` };
    return { expr: call(at, inner, undefined, first) };
  }
  if (wrong !== undefined) return { at: wrong.at, message: `${name}() simple literal arguments must be numeric` };
  if (args.length === 2) return { expr: call(at, inner, undefined, ...args) };
  return { expr: call(at, inner, undefined, { op: "list", at, elements: args.map((value) => ({ value, isOptional: false })) }) };
}

function mayBeNumber(expr: Expr): boolean {
  if (expr.op === "literal") return ["int", "uint", "double"].includes(expr.type.kind);
  return expr.op !== "list" && expr.op !== "map" && expr.op !== "struct";
}
