import { Integer, kindOf, type Value } from "../value/index.ts";
import { floatText } from "./float.ts";
import { Printer } from "./printer.ts";

const printer = new Printer();

/** What fmt.Sprint makes of one value: what `%v` prints. */
export function valueText(value: Value): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return floatText(value);
  if (value instanceof Integer && value.type.methods.size === 0) return String(value.value);
  return printer.argument(value, "v");
}

/** fmt.Sprint: a space between two operands when neither is a string. */
export function sprint(values: readonly Value[]): string {
  let text = "";
  let afterString = true;
  for (const [index, value] of values.entries()) {
    const isString = kindOf(value) === "string";
    if (index > 0 && !isString && !afterString) text += " ";
    text += valueText(value);
    afterString = isString;
  }
  return text;
}

/** fmt.Sprintln: a space between all operands, and a newline. */
export function sprintln(values: readonly Value[]): string {
  return `${values.map(valueText).join(" ")}\n`;
}
