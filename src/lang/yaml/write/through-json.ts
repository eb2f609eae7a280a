import { parseYaml } from "../parse/parse-yaml.ts";
import { YamlFault } from "../yaml-fault.ts";

/** Beyond these, go-yaml reads in JSON what was written into it. */
const changed = /[\x7F-\x9F\uFFFE\uFFFF]|\p{Cs}/u;
/** So many characters may stand between the beginning of a key and its colon. */
const longestKey = 1024;

/**
 * What go-yaml reads of a string that encoding/json wrote: control characters that JSON leaves alone are refused, a next
 * line (U+0085) is folded, and a byte that is no UTF-8 becomes U+FFFD.
 */
export function textThroughJson(text: string): string {
  if (!changed.test(text)) return text;
  return String(parseYaml(goJson(text)));
}

export function keyThroughJson(key: string): string {
  if (key.length > 160 && goJson(key).length > longestKey) refuseKey("");
  if (key.includes("\x85")) refuseKey("line 1: ");
  return textThroughJson(key);
}

/** A key that ends on another line than it began, or too far away, is none. */
function refuseKey(where: string): never {
  const problem = "did not find expected ',' or '}'";
  throw new YamlFault(`yaml: ${where}${problem}`, problem, 1);
}

/** As Go writes it: what HTML could take for its own is escaped. */
function goJson(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll(/[<>&\u2028\u2029]/g, escape);
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
