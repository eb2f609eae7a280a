import { panic } from "../panic.ts";

/** No text of a template is longer than this: what would be is refused rather than made. */
const longest = 2 ** 28;

export function repeated(text: string, count: number): string {
  if (count < 0) panic("strings: negative Repeat count");
  if (text.length * count > longest) panic("strings: Repeat output length overflow");
  return text.repeat(count);
}
