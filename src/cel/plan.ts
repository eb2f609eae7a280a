import { qualifiedName, type Bind, type Call, type Expr, type ListExpr, type MapExpr, type Select } from "./ast.ts";
import { attempt, planConditional, planLogical } from "./branch.ts";
import type { Checked } from "./checker.ts";
import { constant, constantOf } from "./constant.ts";
import { fail } from "./failure.ts";
import { planFold } from "./fold.ts";
import { planCall } from "./invoke.ts";
import type { Meter } from "./meter.ts";
import { printValue } from "./print.ts";
import { Entries, Items, MapValue, Optional, TypeValue, type Value } from "./value.ts";

/** A running evaluation: the values of variables, each in its place, and what it has cost. */
export type Frame = { readonly slots: (Value | undefined)[]; readonly meter: Meter };

/** A part of an expression, ready to run. */
export type Run = (frame: Frame) => Value;

type Scope = { readonly name: string; readonly slot: number; readonly outer: Scope | undefined };

/** Turns a checked expression into functions that call each other. */
export class Planner {
  readonly checked: Checked;
  /** The slots of variables that are used. */
  readonly variables = new Map<string, number>();
  readonly #typeNames: ReadonlyMap<string, unknown>;
  #scope: Scope | undefined;
  #slots = 0;

  constructor(checked: Checked, typeNames: ReadonlyMap<string, unknown>) {
    this.checked = checked;
    this.#typeNames = typeNames;
  }

  get slotCount(): number {
    return this.#slots;
  }

  plan(expr: Expr): Run {
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

  /** Gives a name a slot while `work` is planned. */
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

  #name(name: string): Run {
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

  #select(expr: Select): Run {
    const qualified = this.checked.qualified.get(expr);
    if (qualified !== undefined) return this.#name(qualified);
    const operand = this.plan(expr.operand);
    const { field } = expr;
    if (expr.use === "test") return (frame) => isPresent(operand(frame), field);
    if (expr.use === "optional") {
      return (frame) => {
        const value = operand(frame);
        frame.meter.charge(1);
        return optionalField(value, field);
      };
    }
    return (frame) => {
      const value = operand(frame);
      frame.meter.charge(1);
      return fieldOf(value, field);
    };
  }

  #call(call: Call): Run {
    if (call.name === "_&&_" || call.name === "_||_")
      return planLogical(
        call.name === "_||_",
        call.args.map((each) => this.plan(each)),
      );
    if (call.name === "_?_:_")
      return planConditional(
        call.args.map((each) => this.plan(each)),
        call.args.map(isAttribute),
      );
    const resolution = this.checked.calls.get(call);
    if (resolution === undefined) return () => fail(`no such overload: ${call.name}`);
    return planCall(call, resolution, (expr) => this.plan(expr));
  }

  #list({ elements }: ListExpr): Run {
    const runs = elements.map(({ value, isOptional }) => ({ run: this.plan(value), isOptional }));
    const make = (frame: Frame): Items => new Items(runs.flatMap(({ run, isOptional }) => elementOf(run(frame), isOptional)));
    if (runs.every(({ run, isOptional }) => !isOptional && constantOf(run) !== undefined)) return constant(make(constantFrame));
    return (frame) => {
      const list = make(frame);
      frame.meter.charge(10);
      return list;
    };
  }

  #map({ entries }: MapExpr): Run {
    const runs = entries.map(({ key, value, isOptional }) => ({ key: this.plan(key), value: this.plan(value), isOptional }));
    const make = (frame: Frame): Entries => {
      const map = new Entries();
      for (const { key, value, isOptional } of runs) addEntry(map, key(frame), value(frame), isOptional);
      return map;
    };
    if (runs.every(({ key, value, isOptional }) => !isOptional && constantOf(key) !== undefined && constantOf(value) !== undefined)) {
      const made = attempt(() => make(constantFrame));
      return typeof made === "function" ? made : constant(made);
    }
    return (frame) => {
      const map = make(frame);
      frame.meter.charge(30);
      return map;
    };
  }

  #bind({ name, value, body }: Bind): Run {
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

const constantFrame: Frame = { slots: [], meter: { limit: 0, cost: 0, charge: () => undefined, admit: () => undefined } };

/** Names and selections: cel-go reads these at once, without a step of their own. */
function isAttribute(expr: Expr): boolean {
  return qualifiedName(expr) !== undefined;
}

function orMissing(value: Value | undefined, name: string): Value {
  return value === undefined ? fail(`no such attribute(s): ${name}`) : value;
}

export function fieldOf(value: Value, field: string): Value {
  if (value instanceof MapValue) return value.find(field) ?? orNoKey(value.find(field), field);
  if (value instanceof Optional) return optionalField(value, field);
  return fail(`no such key: ${field}`);
}

/** A value that was looked up: null is one, too. */
export function orNoKey(value: Value | undefined, key: Value): Value {
  return value === undefined ? fail(`no such key: ${printValue(key)}`) : value;
}

function optionalField(value: Value, field: string): Optional {
  const held = value instanceof Optional ? value.value : value;
  if (held === undefined) return Optional.none;
  const found = held instanceof MapValue ? held.find(field) : fail(`no such key: ${field}`);
  return found === undefined ? Optional.none : new Optional(found);
}

function isPresent(value: Value, field: string): boolean {
  const held = value instanceof Optional ? value.value : value;
  return held instanceof MapValue && held.find(field) !== undefined;
}

function elementOf(value: Value, isOptional: boolean): readonly Value[] {
  if (!isOptional) return [value];
  if (!(value instanceof Optional)) return fail(`cannot initialize optional list element from non-optional value ${printValue(value)}`);
  return value.value === undefined ? [] : [value.value];
}

function addEntry(map: Entries, key: Value, value: Value, isOptional: boolean): void {
  let given: Value | undefined = value;
  if (isOptional) {
    given =
      value instanceof Optional
        ? value.value
        : fail(`cannot initialize optional entry '${printValue(key)}' from non-optional value ${printValue(value)}`);
  }
  if (given === undefined) return;
  const added = map.add(key, given);
  if (added === undefined) fail(`unsupported key type: ${printValue(key)}`);
  if (added === false) fail(`insert failed: key ${printValue(key)} already exists`);
}
