import { fieldsAt } from "../../../core/object/index.ts";
import { printQuantity, quantityOf, roundedToMilli } from "../quantity.ts";

/** Bytes are whole. `list` is where the quantities are in `fields`, and `path` what that is called. */
export function fractionWarnings(fields: unknown, path: string, list: string, name: string): readonly string[] {
  const quantity = quantityOf(fieldsAt(fields, list)[name]);
  if (roundedToMilli(quantity).nano % 1_000_000_000n === 0n) return [];
  return [`${path}[${name}]: fractional byte value ${JSON.stringify(printQuantity(quantity))} is invalid, must be an integer`];
}
