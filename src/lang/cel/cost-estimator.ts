import type { BindExpr, CallExpr, Expr, FoldExpr, ListExpr, MapExpr, SelectExpr } from "./ast.ts";
import { estimateCall, type CallEstimate, type Operand } from "./call-estimate.ts";
import type { CheckedAst } from "./checker.ts";
import type { Overload } from "./declaration.ts";
import { keySize, type DeclaredSize } from "./declared-size.ts";
import { foldCosts, isBuilding, newList, newMap } from "./fold-cost.ts";
import { fixedSize, plus, times, uniteSizes, unknownSize, type SizeEstimate } from "./size-estimate.ts";
import { sizeOf } from "./size.ts";
import { withinOptional, type CelType } from "./type.ts";

/** The sizes of the keys and values of a list or map that an expression builds. */
type EntrySize = { readonly kind: "list" | "map"; readonly key: SizeEstimate; readonly value: SizeEstimate };

/** The way from a variable to a value, through fields and `@items`, `@keys` and `@values`; empty when there is none. */
type Path = readonly string[];

type LocalVariable = { readonly path: Path; readonly size: SizeEstimate | undefined; readonly entry: EntrySize | undefined };

type Scope = { readonly name: string; readonly variable: LocalVariable; readonly outer: Scope | undefined };

/**
 * Estimates the most that an expression can cost, from the sizes that the schema of `self` allows. Values whose size nothing
 * bounds are taken to be of unlimited size.
 *
 * Models cel-go checker/cost.go
 */
export class CostEstimator {
  readonly #checked: CheckedAst;
  readonly #self: DeclaredSize;
  readonly #paths = new Map<Expr, Path>();
  readonly #sizes = new Map<Expr, SizeEstimate>();
  readonly #entries = new Map<Expr, EntrySize>();
  readonly #calls = new Map<CallExpr, number>();
  #scope: Scope | undefined;

  constructor(checked: CheckedAst, self: DeclaredSize) {
    this.#checked = checked;
    this.#self = self;
  }

  /** Macros use a call twice; it is estimated once. */
  costOf(expr: Expr): number {
    if (expr.op !== "call") return this.#costOf(expr);
    const cost = this.#calls.get(expr) ?? this.#costOf(expr);
    this.#calls.set(expr, cost);
    return cost;
  }

  #costOf(expr: Expr): number {
    switch (expr.op) {
      case "literal":
        return 0;
      case "ident":
        this.#paths.set(expr, this.#local(expr)?.path ?? [expr.name]);
        return 1;
      case "select":
        return this.#select(expr);
      case "call":
        return this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "struct":
        return 0;
      case "fold":
        return this.#fold(expr);
      case "bind":
        return this.#bind(expr);
    }
  }

  #local(expr: Expr): LocalVariable | undefined {
    if (expr.op !== "ident") return undefined;
    for (let scope = this.#scope; scope !== undefined; scope = scope.outer) if (scope.name === expr.name) return scope.variable;
    return undefined;
  }

  #pathOf(expr: Expr): Path {
    return this.#local(expr)?.path ?? this.#paths.get(expr) ?? [];
  }

  #sizeAt(path: Path): SizeEstimate | undefined {
    if (path.length === 0) return undefined;
    let at: DeclaredSize | undefined = this.#self;
    for (const name of path.slice(1)) {
      if (name === "@items" || name === "@values") at = at?.element;
      else if (name === "@keys") at = at?.isMap === true ? keySize : undefined;
      else at = at?.fields?.get(name);
    }
    return at === undefined ? undefined : { min: 0, max: at.maxElements };
  }

  #sizeOf(expr: Expr): SizeEstimate | undefined {
    const known = this.#sizes.get(expr) ?? writtenSize(expr);
    if (known !== undefined) return known;
    const declared = this.#sizeAt(this.#pathOf(expr));
    if (declared !== undefined) {
      this.#sizes.set(expr, declared);
      return declared;
    }
    return isScalar(this.#checked.typeOf(expr)) ? fixedSize(1) : this.#local(expr)?.size;
  }

  #entryOf(expr: Expr): EntrySize | undefined {
    return this.#entries.get(expr) ?? this.#local(expr)?.entry;
  }

  #setEntry(expr: Expr, entry: EntrySize | undefined): void {
    if (entry !== undefined) this.#entries.set(expr, entry);
  }

  #operand(expr: Expr): Operand {
    const [type, size, path] = [this.#checked.typeOf(expr), this.#sizeOf(expr), this.#pathOf(expr)];
    const isContainer = type.kind === "list" || type.kind === "map";
    const items = path.length === 0 ? undefined : this.#sizeAt([...path, "@items"]);
    const element = isContainer ? (items ?? unknownSize) : undefined;
    return { expr, type, size: size ?? unknownSize, isSized: size !== undefined, element };
  }

  #select(expr: SelectExpr): number {
    const qualified = this.#checked.qualified.get(expr);
    if (qualified !== undefined) {
      this.#paths.set(expr, [qualified]);
      return 1;
    }
    const cost = this.costOf(expr.operand);
    if (expr.use === "test") return cost;
    // `a.?b` is a call.
    if (expr.use === "optional") return plus(cost, 1);
    this.#paths.set(expr, [...this.#pathOf(expr.operand), expr.field]);
    const { kind } = this.#checked.typeOf(expr.operand);
    return kind === "map" || kind === "struct" || kind === "parameter" ? plus(cost, 1) : cost;
  }

  #call(call: CallExpr): number {
    const costs = call.args.map((argument) => this.costOf(argument));
    const inArguments = costs.reduce(plus, 0);
    if (call.name === "_&&_" || call.name === "_||_") return inArguments;
    const resolution = this.#checked.calls.get(call);
    if (resolution === undefined) return 0;
    const [first] = call.args;
    if (resolution.declaration.name === "dyn" && first !== undefined) {
      this.#copySizes(call, first);
      return plus(inArguments, 1);
    }
    const { target, overloads, declaration } = resolution;
    const inTarget = target === undefined ? 0 : this.costOf(target);
    const operands = {
      target: target === undefined ? undefined : this.#operand(target),
      args: call.args.map((each) => this.#operand(each)),
    };
    this.#setEntry(call, this.#entryOfCall(call));
    const estimates = overloads.map(({ parameters }) => estimateCall(declaration.name, { ...operands, parameters }));
    this.#setResultSize(call, overloads, estimates);
    const inCall = Math.max(...estimates.map(({ cost }) => cost));
    if (call.name !== "_?_:_") return plus(plus(inArguments, inTarget), inCall);
    const [test = 0, yes = 0, no = 0] = costs;
    return plus(test, Math.max(yes, no));
  }

  #entryOfCall({ name, args }: CallExpr): EntrySize | undefined {
    const sides = name === "_?_:_" ? args.slice(1) : name === "_+_" ? args : [];
    const [left, right] = sides.map((side) => this.#entryOf(side));
    return uniteEntries(left, right);
  }

  #setResultSize(call: CallExpr, overloads: readonly Overload[], estimates: readonly CallEstimate[]): void {
    let result: SizeEstimate | undefined;
    for (const [index, { id }] of overloads.entries()) {
      const size = estimates[index]?.size;
      if (size !== undefined) result = result === undefined ? size : uniteSizes(result, size);
      const [container] = call.args;
      const step = id === "index_list" ? "@items" : id === "index_map" ? "@values" : undefined;
      if (step !== undefined && container !== undefined) {
        result = this.#entryOf(container)?.value;
        this.#paths.set(call, [...this.#pathOf(container), step]);
      }
      result ??= this.#sizeOf(call);
    }
    if (result !== undefined) this.#sizes.set(call, result);
  }

  #copySizes(to: Expr, from: Expr): void {
    const size = this.#sizeOf(from);
    if (size !== undefined) this.#sizes.set(to, size);
    this.#setEntry(to, this.#entryOf(from));
  }

  #list(list: ListExpr): number {
    const values = list.elements.map(({ value }) => value);
    const cost = values.map((value) => this.costOf(value)).reduce(plus, newList);
    this.#setEntry(list, { kind: "list", key: fixedSize(1), value: this.#unitedSize(values) });
    return cost;
  }

  #map(map: MapExpr): number {
    const [keys, values] = [map.entries.map(({ key }) => key), map.entries.map(({ value }) => value)];
    const cost = [...keys, ...values].map((each) => this.costOf(each)).reduce(plus, newMap);
    this.#setEntry(map, { kind: "map", key: this.#unitedSize(keys), value: this.#unitedSize(values) });
    return cost;
  }

  #unitedSize(exprs: readonly Expr[]): SizeEstimate {
    const sizes = exprs.map((each) => this.#sizeOf(each) ?? unknownSize);
    return sizes.length === 0 ? fixedSize(0) : sizes.reduce(uniteSizes);
  }

  #bind(bind: BindExpr): number {
    // cel-go makes it a comprehension over an empty list.
    const before = plus(newList, this.costOf(bind.value));
    const variable = { path: this.#pathOf(bind.value), size: this.#sizeOf(bind.value), entry: this.#entryOf(bind.value) };
    const outer = this.#scope;
    this.#scope = { name: bind.name, variable, outer };
    const cost = plus(before, this.costOf(bind.body));
    this.#scope = outer;
    this.#copySizes(bind, bind.body);
    return cost;
  }

  #fold(fold: FoldExpr): number {
    const { init, loop, result } = foldCosts[fold.macro];
    const inRange = this.costOf(fold.range);
    const outer = this.#scope;
    this.#enter(fold);
    const inStep = plus(fold.condition === undefined ? 0 : this.costOf(fold.condition), plus(this.costOf(fold.body), loop));
    const element = this.#elementOfResult(fold);
    this.#scope = outer;
    const count = this.#sizeOf(fold.range) ?? unknownSize;
    this.#sizes.set(fold, isBuilding(fold) ? count : fixedSize(1));
    if (element !== undefined) this.#setEntry(fold, { kind: "list", key: fixedSize(1), value: { min: 0, max: element.max } });
    return plus(plus(inRange, init + result), times(count.max, inStep));
  }

  #enter({ range, variable, second }: FoldExpr): void {
    const [entry, path] = [this.#entryOf(range), this.#pathOf(range)];
    const isList = (entry?.kind ?? this.#checked.typeOf(range).kind) === "list";
    const key: LocalVariable = { path: [...path, isList ? "@indices" : "@keys"], size: entry?.key, entry: undefined };
    const value: LocalVariable = { path: [...path, isList ? "@items" : "@values"], size: entry?.value, entry: undefined };
    const names = second === undefined ? [[variable, isList ? value : key] as const] : [[variable, key] as const, [second, value] as const];
    for (const [name, local] of names) this.#scope = { name, variable: local, outer: this.#scope };
  }

  /** The size of the elements of a list that a comprehension builds. */
  #elementOfResult({ macro, range, body }: FoldExpr): SizeEstimate | undefined {
    if (macro === "map" || macro === "transformList") return this.#sizeOf(body) ?? unknownSize;
    const [type, kept] = [this.#checked.typeOf(range), this.#scope?.variable];
    if (macro !== "filter" || kept === undefined) return undefined;
    const isOfScalars = (type.kind === "list" && isScalar(type.element)) || (type.kind === "map" && isScalar(type.key));
    return this.#sizeAt(kept.path) ?? (isOfScalars ? fixedSize(1) : kept.size) ?? unknownSize;
  }
}

function uniteEntries(a: EntrySize | undefined, b: EntrySize | undefined): EntrySize | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { kind: a.kind, key: uniteSizes(a.key, b.key), value: uniteSizes(a.value, b.value) };
}

/** The size of what is written out in the expression. */
function writtenSize(expr: Expr): SizeEstimate | undefined {
  if (expr.op === "literal") return fixedSize(sizeOf(expr.value));
  if (expr.op === "list") return fixedSize(expr.elements.length);
  return expr.op === "map" ? fixedSize(expr.entries.length) : undefined;
}

const scalars: ReadonlySet<string> = new Set(["bool", "double", "duration", "int", "timestamp", "uint"]);

function isScalar(type: CelType): boolean {
  const held = withinOptional(type);
  return held === undefined ? scalars.has(type.kind) : isScalar(held);
}
