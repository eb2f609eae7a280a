import { charge } from "../../../core/cost/index.ts";
import { panic } from "../panic.ts";

/** The longest string that a template may build. */
const longest = 2 ** 28;

export function repeated(text: string, count: number): string {
  if (count < 0) panic("strings: negative Repeat count");
  if (text.length * count > longest) panic("strings: Repeat output length overflow");
  charge(text.length * count);
  return text.repeat(count);
}
