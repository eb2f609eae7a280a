import { Pointer, isTrue, type GoValue } from "../template/index.ts";

/** Sprig's idea of empty: like text/template's of false. */
export function isEmptyValue(value: GoValue): boolean {
  return value instanceof Pointer ? value.isNil : !isTrue(value);
}
