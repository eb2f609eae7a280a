import { GoFunction, GoStruct, Pointer, GoSequence, indirect, type GoValue } from "../value/index.ts";
import { textMethod } from "./printer.ts";

/** The value that `{{ }}` prints: pointers are dereferenced unless they have a String or Error method. Models printableValue. */
export function printable(value: GoValue): GoValue {
  if (value instanceof Pointer) {
    const inside = indirect(value);
    return inside instanceof Pointer || textMethod(inside) !== undefined ? inside : addressed(inside, value);
  }
  if (value instanceof GoStruct && value.addressable && textMethod(value) === undefined) return addressed(value, undefined);
  return value;
}

function addressed(inside: GoValue, pointer: Pointer | undefined): GoValue {
  const own = pointer ?? (inside instanceof GoStruct ? new Pointer(inside.type.pointerTo, inside) : undefined);
  return own !== undefined && textMethod(own) !== undefined ? own : inside;
}

/** Whether the value cannot be printed. */
export function isUnprintable(value: GoValue): boolean {
  return (value instanceof GoFunction || value instanceof GoSequence) && textMethod(value) === undefined;
}
