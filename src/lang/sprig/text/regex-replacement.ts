import { charge } from "../../../core/cost/index.ts";
import type { Regex, Replacement } from "../../re2/index.ts";

/** A text that is part of another one. */
const costOfPart = 8;

/** Reads a template with `$1`, `${1}` and `$name`; `$$` is a dollar. Names are matched greedily. Models regexp.Expand. */
export function replacementFor(template: string, names: Regex["names"]): Replacement {
  if (!template.includes("$")) return template;
  const parts: (string | number)[] = [];
  let at = 0;
  for (const found of template.matchAll(/\$(?:(\$)|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu)) {
    const [whole, dollar, braced, bare] = found;
    const name = braced ?? bare ?? "";
    parts.push(template.slice(at, found.index), dollar ?? (/^(?:0|[1-9]\d{0,7})$/.test(name) ? Number(name) : (names.get(name) ?? "")));
    at = found.index + whole.length;
  }
  parts.push(template.slice(at));
  return (groups) => {
    const texts = parts.map((part) => (typeof part === "string" ? part : (groups[part] ?? "")));
    charge(texts.reduce((sum, { length }) => sum + costOfPart + length, 0));
    return texts.join("");
  };
}
