import { Integer, reflectKindOf, type GoValue } from "../value/index.ts";
import { floatText } from "./float.ts";
import { Printer } from "./printer.ts";

const printer = new Printer();

/** Models fmt.Sprint of one value, which is `%v`. */
export function sprintValue(value: GoValue): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return floatText(value);
  if (value instanceof Integer && value.type.methods.size === 0) return String(value.value);
  return printer.argument(value, "v");
}

/** Models fmt.Sprint: a space between operands when neither is a string. */
export function sprint(values: readonly GoValue[]): string {
  let text = "";
  let afterString = true;
  for (const [index, value] of values.entries()) {
    const isString = reflectKindOf(value) === "string";
    if (index > 0 && !isString && !afterString) text += " ";
    text += sprintValue(value);
    afterString = isString;
  }
  return text;
}

/** Models fmt.Sprintln: a space between operands, and a newline. */
export function sprintln(values: readonly GoValue[]): string {
  return `${values.map(sprintValue).join(" ")}\n`;
}
