import { GoError, LimitError } from "../../../lang/template/index.ts";
import { compileRe2, type RE2JS } from "../../../lang/re2/index.ts";

const everything = "(?s:.)*";

/** A path pattern in the syntax of gobwas/glob, with `/` as separator. An invalid one matches everything. */
export function globPattern(pattern: string): RE2JS {
  const written = translated(pattern) ?? everything;
  try {
    return compileRe2(`^(?:${written})$`);
  } catch (error) {
    if (error instanceof LimitError) throw error;
    throw new GoError(`glob pattern of ${pattern.length} characters: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The regular expression for a pattern; undefined when it is invalid. */
function translated(pattern: string): string | undefined {
  let out = "";
  let depth = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]!;
    if (character === "*") {
      const isSuper = pattern[at + 1] === "*";
      out += isSuper ? everything : "[^/]*";
      if (isSuper) at++;
    } else if (character === "?") out += "[^/]";
    else if (character === "\\") out += quoted(pattern[++at] ?? "");
    else if (character === "[") {
      const found = /^\[(!?)([^\]]+)\]/.exec(pattern.slice(at));
      if (found === null) return undefined;
      out += `[${found[1] === "!" ? "^" : ""}${found[2]!.replaceAll(/[\\\]^[]/g, "\\$&")}]`;
      at += found[0].length - 1;
    } else if (character === "{") {
      depth++;
      out += "(?:";
    } else if (character === "}" && depth > 0) {
      depth--;
      out += ")";
    } else out += character === "," && depth > 0 ? "|" : quoted(character);
  }
  return depth === 0 ? out : undefined;
}

function quoted(character: string): string {
  return /^[\\.+*?()|[\]{}^$]$/.test(character) ? `\\${character}` : character;
}
