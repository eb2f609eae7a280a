import { isAttribute, planIndex, planSelect } from "./access.ts";
import type { BindExpr, CallExpr, Expr, ListExpr, MapExpr, SelectExpr } from "./ast.ts";
import { valueOrThrower, planAlternative, planConditional, planLogical } from "./branch.ts";
import type { CheckedAst } from "./checker.ts";
import { constant, constantOf } from "./constant.ts";
import { fail } from "./failure.ts";
import { planFold } from "./fold.ts";
import { planCall } from "./invoke.ts";
import { Meter } from "./meter.ts";
import { printValue } from "./print.ts";
import { Entries, Items, Optional, TypeValue, type CelValue } from "./value.ts";

/** A running evaluation: the slots of the variables and the cost so far. */
export type ExecutionFrame = { readonly slots: (CelValue | undefined)[]; readonly meter: Meter };

/** A planned expression. */
export type Interpretable = (frame: ExecutionFrame) => CelValue;

type Scope = { readonly name: string; readonly slot: number; readonly outer: Scope | undefined };

/** Turns a checked expression into nested closures. Models cel-go interpreter/planner.go */
export class Planner {
  readonly checked: CheckedAst;
  /** The slots of the variables that the expression uses. */
  readonly variables = new Map<string, number>();
  readonly #typeNames: ReadonlyMap<string, unknown>;
  readonly #calls = new Map<CallExpr, Interpretable>();
  #scope: Scope | undefined;
  #slots = 0;

  constructor(checked: CheckedAst, typeNames: ReadonlyMap<string, unknown>) {
    this.checked = checked;
    this.#typeNames = typeNames;
  }

  get slotCount(): number {
    return this.#slots;
  }

  /** Macros use a call twice; it is planned once. */
  plan(expr: Expr): Interpretable {
    if (expr.op !== "call") return this.#plan(expr);
    const planned = this.#calls.get(expr) ?? this.#plan(expr);
    this.#calls.set(expr, planned);
    return planned;
  }

  #plan(expr: Expr): Interpretable {
    switch (expr.op) {
      case "literal":
        return constant(expr.value);
      case "ident":
        return this.#name(expr.name);
      case "select":
        return this.#select(expr);
      case "call":
        return this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "fold":
        return planFold(expr, this);
      case "bind":
        return this.#bind(expr);
      case "struct":
        return () => fail(`unknown type: ${expr.name}`);
    }
  }

  /** Assigns slots to names while `work` plans their scope. */
  within<T>(names: readonly string[], work: (...slots: readonly number[]) => T): T {
    const outer = this.#scope;
    const slots = names.map((name) => {
      this.#scope = { name, slot: this.#slots++, outer: this.#scope };
      return this.#scope.slot;
    });
    const result = work(...slots);
    this.#scope = outer;
    return result;
  }

  #slotOf(name: string): number | undefined {
    for (let scope = this.#scope; scope !== undefined; scope = scope.outer) if (scope.name === name) return scope.slot;
    return undefined;
  }

  #name(name: string): Interpretable {
    const plain = name.startsWith(".") ? name.slice(1) : name;
    const local = plain === name ? this.#slotOf(name) : undefined;
    if (local === undefined && this.#typeNames.has(plain)) return constant(new TypeValue(plain));
    const slot = local ?? this.variables.get(plain) ?? this.#slots++;
    if (local === undefined) this.variables.set(plain, slot);
    return ({ slots, meter }) => {
      meter.charge(1);
      return slots[slot] ?? orMissing(slots[slot], plain);
    };
  }

  #select(expr: SelectExpr): Interpretable {
    const qualified = this.checked.qualified.get(expr);
    if (qualified !== undefined) return this.#name(qualified);
    return planSelect(expr, this.plan(expr.operand));
  }

  #call(call: CallExpr): Interpretable {
    const { name, args } = call;
    const resolution = this.checked.calls.get(call);
    const plan = (expr: Expr): Interpretable => this.plan(expr);
    if (name === "_&&_" || name === "_||_") return planLogical(name === "_||_", args.map(plan));
    if (name === "_?_:_") return planConditional(args.map(plan), args.map(isAttribute));
    if (name === "_[_]" || name === "_[?_]") return planIndex(name, args, args.map(plan));
    if (resolution === undefined) return () => fail(`no such overload: ${name}`);
    const { target } = resolution;
    if (target !== undefined && (name === "or" || name === "orValue")) return planAlternative(name, [target, ...args].map(plan));
    return planCall(call, resolution, plan);
  }

  #list({ elements }: ListExpr): Interpretable {
    const runs = elements.map(({ value, isOptional }) => ({ run: this.plan(value), isOptional }));
    const make = (frame: ExecutionFrame): Items => new Items(runs.flatMap(({ run, isOptional }) => elementOf(run(frame), isOptional)));
    if (runs.every(({ run, isOptional }) => !isOptional && constantOf(run) !== undefined)) return constant(make(constantFrame));
    return (frame) => {
      const list = make(frame);
      frame.meter.charge(10);
      return list;
    };
  }

  #map({ entries }: MapExpr): Interpretable {
    const runs = entries.map(({ key, value, isOptional }) => ({ key: this.plan(key), value: this.plan(value), isOptional }));
    const make = (frame: ExecutionFrame): Entries => {
      const map = new Entries();
      for (const { key, value, isOptional } of runs) addEntry(map, key(frame), value(frame), isOptional);
      return map;
    };
    if (runs.every(({ key, value, isOptional }) => !isOptional && constantOf(key) !== undefined && constantOf(value) !== undefined)) {
      const made = valueOrThrower(() => make(constantFrame));
      return typeof made === "function" ? made : constant(made);
    }
    return (frame) => {
      const map = make(frame);
      frame.meter.charge(30);
      return map;
    };
  }

  #bind({ name, value, body }: BindExpr): Interpretable {
    const given = this.plan(value);
    return this.within([name], (slot = 0) => {
      const result = this.plan(body);
      return (frame) => {
        frame.slots[slot] = given(frame);
        return result(frame);
      };
    });
  }
}

const constantFrame: ExecutionFrame = { slots: [], meter: new Meter(Number.POSITIVE_INFINITY) };

function orMissing(value: CelValue | undefined, name: string): CelValue {
  return value === undefined ? fail(`no such attribute(s): ${name}`) : value;
}

function elementOf(value: CelValue, isOptional: boolean): readonly CelValue[] {
  if (!isOptional) return [value];
  if (!(value instanceof Optional)) return fail(`cannot initialize optional list element from non-optional value ${printValue(value)}`);
  return value.value === undefined ? [] : [value.value];
}

function addEntry(map: Entries, key: CelValue, value: CelValue, isOptional: boolean): void {
  let given: CelValue | undefined = value;
  if (isOptional) {
    given =
      value instanceof Optional
        ? value.value
        : fail(`cannot initialize optional entry '${printValue(key)}' from non-optional value ${printValue(value)}`);
  }
  if (given === undefined) return;
  map.put(key, given);
}
