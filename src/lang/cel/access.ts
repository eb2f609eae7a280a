import type { Expr, SelectExpr } from "./ast.ts";
import { fail } from "./failure.ts";
import type { Interpretable } from "./planner.ts";
import { printValue } from "./print.ts";
import { ListValue, MapValue, Optional, typeNameOf, Uint, type CelValue } from "./value.ts";

/**
 * Whether an expression is an attribute: a name, with the fields and indexes that follow it. cel-go resolves such a chain in one
 * step. Each qualifier costs 1, and the step costs 1 more when the chain does not begin with a name.
 */
export function isAttribute(expr: Expr): boolean {
  if (expr.op === "ident") return true;
  if (expr.op === "select") return expr.use !== "test";
  return expr.op === "call" && (expr.name === "_[_]" || expr.name === "_[?_]");
}

export function planSelect({ operand: base, field, use }: SelectExpr, operand: Interpretable): Interpretable {
  const start = isAttribute(base) ? 0 : 1;
  if (use === "test") {
    return (frame) => {
      const value = operand(frame);
      frame.meter.charge(start);
      return isPresent(value, field);
    };
  }
  if (use === "optional") return planOptional(operand, () => field, start);
  const cost = start + 1;
  return (frame) => {
    const value = operand(frame);
    if (value instanceof MapValue) {
      frame.meter.charge(cost);
      return value.find(field) ?? orNoKey(value.find(field), field);
    }
    const found = elementAt(value, field);
    frame.meter.charge(found === Optional.none ? start : cost);
    return found;
  };
}

/** Plans `base[index]`. An index that is an attribute itself costs no step of its own. */
export function planIndex(name: string, [base, index]: readonly Expr[], [operand, key]: readonly Interpretable[]): Interpretable {
  if (base === undefined || index === undefined || operand === undefined || key === undefined)
    return () => fail(`no such overload: ${name}`);
  const start = (isAttribute(base) ? 0 : 1) - (isAttribute(index) ? 1 : 0);
  if (name === "_[?_]") return planOptional(operand, key, start);
  return (frame) => {
    const [value, position] = [operand(frame), key(frame)];
    frame.meter.charge(start + 1);
    return elementAt(value, position);
  };
}

/** A missing field or index costs nothing. */
function planOptional(operand: Interpretable, key: Interpretable, start: number): Interpretable {
  return (frame) => {
    const found = optionalElementAt(operand(frame), key(frame));
    frame.meter.charge(found.value === undefined ? start : start + 1);
    return found;
  };
}

function isPresent(value: CelValue, field: string): boolean {
  const held = value instanceof Optional ? value.value : value;
  return held instanceof MapValue && held.find(field) !== undefined;
}

/** Fails when the key is missing. A null value counts as present. */
function orNoKey(value: CelValue | undefined, key: CelValue): CelValue {
  return value === undefined ? fail(`no such key: ${printValue(key)}`) : value;
}

/** The position that an index stands for; undefined when it lies outside the list. */
function positionIn(list: ListValue, index: CelValue): number | undefined {
  const position = index instanceof Uint ? Number(index.value) : index;
  if (typeof position !== "bigint" && typeof position !== "number") return fail(`unsupported index type '${typeNameOf(index)}' in list`);
  if (typeof position === "number" && !Number.isInteger(position)) return fail(`unsupported index value ${printValue(index)} in list`);
  const found = Number(position);
  return found >= 0 && found < list.size ? found : undefined;
}

/** The value at an index or under a key; undefined when there is none. */
function lookUp(container: CelValue, index: CelValue): CelValue | undefined {
  if (container instanceof MapValue) return container.find(index);
  if (!(container instanceof ListValue)) return fail(`no such key: ${printValue(index)}`);
  const position = positionIn(container, index);
  return position === undefined ? undefined : container.at(position);
}

export function elementAt(container: CelValue, index: CelValue): CelValue {
  if (container instanceof Optional) return optionalElementAt(container, index);
  const found = lookUp(container, index);
  if (found === undefined && container instanceof ListValue) return fail(`index out of bounds: ${printValue(index)}`);
  return orNoKey(found, index);
}

export function optionalElementAt(container: CelValue, index: CelValue): Optional {
  const held = container instanceof Optional ? container.value : container;
  const found = held === undefined ? undefined : lookUp(held, index);
  return found === undefined ? Optional.none : new Optional(found);
}
