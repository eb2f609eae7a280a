import { Pointer, isTrue, type Value } from "../template/index.ts";

/** Sprig's idea of empty: like text/template's of false. */
export function isEmpty(value: Value): boolean {
  return value instanceof Pointer ? value.isNil : !isTrue(value);
}
