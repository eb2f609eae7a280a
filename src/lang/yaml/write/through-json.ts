import { parseYaml } from "../parse/parse-yaml.ts";
import { YamlFault } from "../yaml-fault.ts";

/** Characters that do not survive go-yaml's reading of JSON. */
const changed = /[\x7F-\x9F\uFFFE\uFFFF]|\p{Cs}/u;
/** The longest simple key. */
const longestKey = 1024;

/**
 * The string that go-yaml reads from encoding/json's output: control characters that JSON allows are rejected, a next line
 * (U+0085) is folded, and an invalid byte becomes U+FFFD.
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

/** A key that ends on another line or is too long is not a key. */
function refuseKey(where: string): never {
  const problem = "did not find expected ',' or '}'";
  throw new YamlFault(`yaml: ${where}${problem}`, problem, 1);
}

/** JSON as Go writes it, with HTML characters escaped. */
function goJson(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll(/[<>&\u2028\u2029]/g, escape);
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
