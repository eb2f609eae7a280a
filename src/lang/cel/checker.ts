import { dottedName, type BindExpr, type CallExpr, type Expr, type FoldExpr, type ListExpr, type MapExpr, type SelectExpr } from "./ast.ts";
import type { Declarations, FunctionDeclaration, Overload } from "./declaration.ts";
import { mostIssues, type Issue } from "./issue.ts";
import {
  boolType,
  dynType,
  errorType,
  intType,
  isSameType,
  listType,
  mapType,
  optionalType,
  typeParameter,
  printType,
  withinOptional,
  type CelType,
} from "./type.ts";
import { isLessSpecific, Substitution } from "./substitution.ts";

/** The names that an expression may use: variables, types and functions. */
export type CelEnv = {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly types: ReadonlyMap<string, CelType>;
  readonly functions: Declarations;
};

/** The function that a call resolves to, with the overloads that match the types of the arguments. */
export type Resolution = {
  readonly declaration: FunctionDeclaration;
  readonly overloads: readonly Overload[];
  readonly target: Expr | undefined;
};

export type CheckedAst = {
  readonly type: CelType;
  readonly typeOf: (expr: Expr) => CelType;
  readonly calls: ReadonlyMap<CallExpr, Resolution>;
  /** Selections that are qualified names of a type or a variable. */
  readonly qualified: ReadonlyMap<Expr, string>;
  readonly issues: readonly Issue[];
};

/** Infers the type of every subexpression and collects the type errors. Models cel-go checker/checker.go */
export function checkExpr(expr: Expr, names: CelEnv): CheckedAst {
  const checker = new Checker(names);
  const type = checker.typeOf(expr);
  const { types, ...findings } = checker.findings;
  return { ...findings, type: checker.settled(type), typeOf: (each) => checker.settled(types.get(each) ?? dynType) };
}

type Scope = { readonly name: string; readonly type: CelType; readonly outer: Scope | undefined };

class Checker {
  readonly findings = {
    types: new Map<Expr, CelType>(),
    calls: new Map<CallExpr, Resolution>(),
    qualified: new Map<Expr, string>(),
    issues: [] as Issue[],
  };
  readonly #names: CelEnv;
  readonly #substitution = new Substitution();
  /** The expressions that have an error in them. */
  readonly #faulty = new Set<Expr>();
  #scope: Scope | undefined;

  constructor(names: CelEnv) {
    this.#names = names;
  }

  settled(type: CelType): CelType {
    return this.#substitution.apply(type, dynType);
  }

  /**
   * Macros such as `optMap` use their target twice, so a chain of them would take twice as long with each one. A call is inferred
   * once; one with errors again, because cel-go reports them twice.
   */
  typeOf(expr: Expr): CelType {
    const { types, issues } = this.findings;
    const known = expr.op === "call" ? types.get(expr) : undefined;
    if (known !== undefined && (!this.#faulty.has(expr) || issues.length >= mostIssues)) return known;
    const before = issues.length;
    const type = this.#infer(expr);
    types.set(expr, type);
    if (issues.length > before) this.#faulty.add(expr);
    return type;
  }

  #infer(expr: Expr): CelType {
    switch (expr.op) {
      case "literal":
        return expr.type;
      case "ident":
        return this.#lookUp(expr.name) ?? this.#complain(expr.at, undeclared(expr.name));
      case "select":
        return this.#select(expr);
      case "call":
        return this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "struct":
        return this.#complain(expr.at, undeclared(expr.name));
      case "fold":
        return this.#fold(expr);
      case "bind":
        return this.#bind(expr);
    }
  }

  #complain(at: number, message: string): CelType {
    this.findings.issues.push({ at, message });
    return errorType;
  }

  #lookUp(name: string): CelType | undefined {
    const plain = name.startsWith(".") ? name.slice(1) : name;
    for (let scope = plain === name ? this.#scope : undefined; scope !== undefined; scope = scope.outer) {
      if (scope.name === name) return scope.type;
    }
    return this.#names.variables.get(plain) ?? this.#names.types.get(plain);
  }

  #select(expr: SelectExpr): CelType {
    const name = expr.use === "optional" ? undefined : dottedName(expr);
    const named = name === undefined ? undefined : this.#lookUp(name);
    if (name !== undefined && named !== undefined) {
      this.findings.qualified.set(expr, name);
      return named;
    }
    const type = this.#field(expr);
    return expr.use === "test" ? boolType : this.#substitution.apply(type);
  }

  #field(expr: SelectExpr): CelType {
    const operand = this.#substitution.apply(this.typeOf(expr.operand));
    const held = withinOptional(operand);
    const result = this.#fieldOf(held ?? operand, expr);
    return held !== undefined || expr.use === "optional" ? optionalType(result) : result;
  }

  #fieldOf(type: CelType, { at, field }: SelectExpr): CelType {
    if (type.kind === "map") return type.value;
    if (type.kind === "struct") return type.fieldType(field) ?? this.#complain(at, `undefined field '${field}'`);
    if (type.kind === "parameter") this.#substitution.unify(dynType, type);
    else if (type.kind !== "dyn" && type.kind !== "error") this.#complain(at, `type '${printType(type)}' does not support field selection`);
    return dynType;
  }

  #call(call: CallExpr): CelType {
    const args = call.args.map((argument) => this.typeOf(argument));
    if (call.name === "_&&_" || call.name === "_||_") return this.#logical(call, args);
    const { name, target } = call;
    const prefix = target === undefined ? undefined : dottedName(target);
    const qualified = prefix === undefined ? undefined : this.#function(`${prefix}.${name}`);
    if (qualified !== undefined) return this.#resolve(call, qualified, undefined, args);
    const types = target === undefined ? args : [this.typeOf(target), ...args];
    const declaration = this.#function(name);
    return declaration === undefined ? this.#complain(call.at, undeclared(name)) : this.#resolve(call, declaration, target, types);
  }

  #function(name: string): FunctionDeclaration | undefined {
    return this.#names.functions.get(name.startsWith(".") ? name.slice(1) : name);
  }

  #logical({ args }: CallExpr, types: readonly CelType[]): CelType {
    const wrong = types.filter((type, index) => {
      if (this.#substitution.unify(type, boolType)) return false;
      this.#complain(args[index]?.at ?? 0, `expected type 'bool' but found '${printType(type)}'`);
      return true;
    });
    return wrong.length > 0 ? errorType : boolType;
  }

  #resolve(call: CallExpr, declaration: FunctionDeclaration, target: Expr | undefined, types: readonly CelType[]): CelType {
    const overloads: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of declaration.overloads) {
      if (overload.isMember !== (target !== undefined) || overload.parameters.length !== types.length) continue;
      const [parameters, given] = this.#instantiate(overload);
      if (!this.#substitution.unifyAll(types, parameters)) continue;
      overloads.push(overload);
      const type = this.#substitution.apply(given);
      if (result === undefined) result = type;
      else if (result.kind !== "dyn" && !isSameType(type, result)) result = dynType;
    }
    this.findings.calls.set(call, { declaration, overloads, target });
    return (
      result ??
      this.#complain(
        call.at,
        `found no matching overload for '${declaration.name}' applied to '${this.#printCall(types, target !== undefined)}'`,
      )
    );
  }

  #printCall(types: readonly CelType[], isMember: boolean): string {
    const printed = types.map((type) => printType(this.settled(type)));
    return isMember ? `${printed[0]}.(${printed.slice(1).join(", ")})` : `(${printed.join(", ")})`;
  }

  /** The types of an overload, with fresh type parameters for this call. */
  #instantiate({ generics, parameters, result }: Overload): readonly [readonly CelType[], CelType] {
    if (generics.length === 0) return [parameters, result];
    const fresh = new Substitution();
    for (const name of generics) fresh.unify(this.#substitution.fresh(), typeParameter(name));
    return [parameters.map((type) => fresh.apply(type)), fresh.apply(result)];
  }

  #list({ elements }: ListExpr): CelType {
    let joined: CelType | undefined;
    for (const { value, isOptional } of elements) joined = this.#join(joined, this.#given(value, isOptional));
    return listType(joined ?? this.#substitution.fresh());
  }

  #map({ entries }: MapExpr): CelType {
    let [keys, values]: [CelType | undefined, CelType | undefined] = [undefined, undefined];
    for (const { key, value, isOptional } of entries) {
      keys = this.#join(keys, this.typeOf(key));
      values = this.#join(values, this.#given(value, isOptional));
    }
    return mapType(keys ?? this.#substitution.fresh(), values ?? this.#substitution.fresh());
  }

  /** The type of an element. For an element after `?` it is the type that the optional holds. */
  #given(value: Expr, isOptional: boolean): CelType {
    const type = this.typeOf(value);
    if (!isOptional) return type;
    const held = withinOptional(type);
    if (held === undefined && type.kind !== "dyn") this.#mismatch(value.at, optionalType(type), type);
    return held ?? type;
  }

  /** Elements of different types make a list of `dyn`. Whether mixed lists are allowed is checked in validate.ts. */
  #join(before: CelType | undefined, type: CelType): CelType {
    if (before === undefined) return type;
    if (this.#substitution.unify(before, type)) return isLessSpecific(before, type) ? before : type;
    return dynType;
  }

  #mismatch(at: number, expected: CelType, found: CelType): CelType {
    return this.#complain(at, `expected type '${printType(expected)}' but found '${printType(found)}'`);
  }

  #bind({ name, value, body }: BindExpr): CelType {
    const type = this.typeOf(value);
    return this.#within([[name, type]], () => this.typeOf(body));
  }

  #within(names: readonly (readonly [string, CelType])[], work: () => CelType): CelType {
    const outer = this.#scope;
    for (const [name, type] of names) this.#scope = { name, type, outer: this.#scope };
    const result = work();
    this.#scope = outer;
    return result;
  }

  #fold(fold: FoldExpr): CelType {
    const range = this.#substitution.apply(this.typeOf(fold.range));
    const [first, second] = this.#iterated(fold, range);
    const names: (readonly [string, CelType])[] = [[fold.variable, first]];
    if (fold.second !== undefined) names.push([fold.second, second]);
    return this.#within(names, () => this.#substitution.apply(this.#folded(fold, first)));
  }

  /** The types of the iteration variables. */
  #iterated({ range, second }: FoldExpr, type: CelType): readonly [CelType, CelType] {
    switch (type.kind) {
      case "list":
        return second === undefined ? [type.element, dynType] : [intType, type.element];
      case "map":
        return [type.key, type.value];
      case "dyn":
      case "error":
      case "parameter":
        this.#substitution.unify(dynType, type);
        return [dynType, dynType];
      default: {
        const message = `expression of type '${printType(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
        this.#complain(range.at, message);
        return [errorType, errorType];
      }
    }
  }

  #folded(fold: FoldExpr, element: CelType): CelType {
    const { macro, body, at } = fold;
    switch (macro) {
      case "all":
      case "exists": {
        const type = this.typeOf(body);
        if (!this.#substitution.unify(type, boolType)) this.#mismatch(body.at, boolType, type);
        return boolType;
      }
      case "existsOne":
        this.#condition(at, body, intType);
        return boolType;
      case "filter":
        this.#condition(at, body, listType(element));
        return listType(element);
      case "map":
      case "transformList":
        return this.#transformed(fold, (type) => listType(type));
      case "transformMap":
        return this.#transformed(fold, (type) => mapType(element, type));
      case "transformMapEntry":
        return this.#transformed(fold, (type) => this.#entries(type, at));
    }
  }

  #transformed({ at, condition, body }: FoldExpr, wrap: (type: CelType) => CelType): CelType {
    const test = condition === undefined ? undefined : this.typeOf(condition);
    const result = wrap(this.typeOf(body));
    if (test !== undefined) this.#assertTernary(at, test, result);
    return result;
  }

  #entries(type: CelType, at: number): CelType {
    const result = mapType(this.#substitution.fresh(), this.#substitution.fresh());
    if (this.#substitution.unify(type, result)) return this.#substitution.apply(result);
    return this.#complain(
      at,
      `found no matching overload for 'cel.@mapInsert' applied to '(map(dyn, dyn), ${printType(this.settled(type))})'`,
    );
  }

  #condition(at: number, body: Expr, result: CelType): void {
    this.#assertTernary(at, this.typeOf(body), result);
  }

  /** cel-go expands filtering macros to a ternary, and its messages show that. */
  #assertTernary(at: number, test: CelType, result: CelType): void {
    if (this.#substitution.unify(test, boolType)) return;
    this.#complain(at, `found no matching overload for '_?_:_' applied to '${this.#printCall([test, result, result], false)}'`);
  }
}

function undeclared(name: string): string {
  return `undeclared reference to '${name}' (in container '')`;
}
