import { GoFunction, GoStruct, Pointer, Sequence, indirect, type Value } from "../value/index.ts";
import { textMethod } from "./printer.ts";

/**
 * The value in the form in which `{{ }}` prints it: what a pointer points to, unless the pointer has a text of its own.
 * Models printableValue.
 */
export function printable(value: Value): Value {
  if (value instanceof Pointer) {
    const inside = indirect(value);
    return inside instanceof Pointer || textMethod(inside) !== undefined ? inside : addressed(inside, value);
  }
  if (value instanceof GoStruct && value.addressable && textMethod(value) === undefined) return addressed(value, undefined);
  return value;
}

function addressed(inside: Value, pointer: Pointer | undefined): Value {
  const own = pointer ?? (inside instanceof GoStruct ? new Pointer(inside.type.pointerTo, inside) : undefined);
  return own !== undefined && textMethod(own) !== undefined ? own : inside;
}

/** Is there no way to print it? */
export function isUnprintable(value: Value): boolean {
  return (value instanceof GoFunction || value instanceof Sequence) && textMethod(value) === undefined;
}
