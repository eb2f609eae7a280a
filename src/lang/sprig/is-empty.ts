import { Pointer, isTrue, type GoValue } from "../template/index.ts";

/** Whether Sprig calls a value empty: false in a condition, or a nil pointer. */
export function isEmptyValue(value: GoValue): boolean {
  return value instanceof Pointer ? value.isNil : !isTrue(value);
}
