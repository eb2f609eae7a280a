import {
  canBackquote,
  byParts,
  goFunction,
  nilList,
  stringList,
  types,
  type FunctionTable,
  type GoList,
  type Integer,
  quote as quoteText,
} from "../../template/index.ts";
import { regexOf, type Regex } from "../../re2/index.ts";
import { panic } from "../panic.ts";
import { replacementFor } from "../text/regex-replacement.ts";

/** RE2 regular expressions. The functions that begin with `must` return an error for an invalid pattern; the others panic. */
export const regexFunctions: FunctionTable = {
  regexMatch: goFunction("func(string, string) bool", (pattern: string, text: string) => {
    try {
      return read(pattern).test(text);
    } catch {
      // An invalid pattern matches nothing.
      return false;
    }
  }),
  mustRegexMatch: goFunction("func(string, string) (bool, error)", (pattern: string, text: string) => compiled(pattern).test(text)),
  regexFind: goFunction("func(string, string) string", (pattern: string, text: string) => find(demanded(pattern), text)),
  mustRegexFind: goFunction("func(string, string) (string, error)", (pattern: string, text: string) => find(compiled(pattern), text)),
  regexFindAll: goFunction("func(string, string, int) []string", (pattern: string, text: string, count: Integer) =>
    findAll(demanded(pattern), text, count),
  ),
  mustRegexFindAll: goFunction("func(string, string, int) ([]string, error)", (pattern: string, text: string, count: Integer) =>
    findAll(compiled(pattern), text, count),
  ),
  regexReplaceAll: goFunction("func(string, string, string) string", (pattern: string, text: string, replacement: string) =>
    expandAll(demanded(pattern), text, replacement),
  ),
  mustRegexReplaceAll: goFunction("func(string, string, string) (string, error)", (pattern: string, text: string, replacement: string) =>
    expandAll(compiled(pattern), text, replacement),
  ),
  regexReplaceAllLiteral: goFunction("func(string, string, string) string", (pattern: string, text: string, replacement: string) =>
    demanded(pattern).replaceAll(text, replacement),
  ),
  mustRegexReplaceAllLiteral: goFunction(
    "func(string, string, string) (string, error)",
    (pattern: string, text: string, replacement: string) => compiled(pattern).replaceAll(text, replacement),
  ),
  regexSplit: goFunction("func(string, string, int) []string", (pattern: string, text: string, count: Integer) =>
    split(demanded(pattern), pattern, text, Number(count.value)),
  ),
  mustRegexSplit: goFunction("func(string, string, int) ([]string, error)", (pattern: string, text: string, count: Integer) =>
    split(compiled(pattern), pattern, text, Number(count.value)),
  ),
  regexQuoteMeta: goFunction("func(string) string", (text: string) =>
    byParts(text, (part) => part.replaceAll(/[\\.+*?()|[\]{}^$]/g, "\\$&")),
  ),
};

function compiled(pattern: string): Regex {
  try {
    return read(pattern);
  } catch (error) {
    return panic(error instanceof Error ? error.message : String(error));
  }
}

function read(pattern: string): Regex {
  if (!pattern.isWellFormed()) throw new Error(`error parsing regexp: invalid UTF-8: \`${pattern}\``);
  return regexOf(pattern);
}

/** Compiles like regexp.MustCompile, with a panic that names the pattern. */
function demanded(pattern: string): Regex {
  try {
    return read(pattern);
  } catch (error) {
    const named = canBackquote(pattern) ? `\`${pattern}\`` : quoteText(pattern);
    return panic(`regexp: Compile(${named}): ${error instanceof Error ? error.message : String(error)}`);
  }
}

function find(pattern: Regex, text: string): string {
  const [found] = pattern.matches(text, 1);
  return found === undefined ? "" : text.slice(found.start, found.end);
}

function findAll(pattern: Regex, text: string, count: Integer): GoList {
  const found = pattern.matches(text, Number(count.value));
  return found.length === 0 ? nilList(types.stringList) : stringList(found.map(({ start, end }) => text.slice(start, end)));
}

function expandAll(pattern: Regex, text: string, template: string): string {
  return pattern.replaceAll(text, replacementFor(template, pattern.names));
}

function split(compiledPattern: Regex, pattern: string, text: string, count: number): GoList {
  if (count === 0) return nilList(types.stringList);
  if (pattern !== "" && text === "") return stringList([""]);
  const parts: string[] = [];
  let [begin, end] = [0, 0];
  for (const match of compiledPattern.matches(text, count)) {
    if (count > 0 && parts.length === count - 1) break;
    end = match.start;
    if (match.end !== 0) parts.push(text.slice(begin, end));
    begin = match.end;
  }
  if (end !== text.length) parts.push(text.slice(begin));
  return stringList(parts);
}
