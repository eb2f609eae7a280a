import type { Issue } from "./issue.ts";

type CelTokenKind = "identifier" | "escaped" | "int" | "uint" | "double" | "string" | "bytes" | "punctuation" | "end";
export type CelToken = { readonly kind: CelTokenKind; readonly text: string; readonly at: number };

const escape = String.raw`\\(?:[abfnrtv"'\\?\x60]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
const quoted = [
  `"""(?:${escape}|[^\\\\])*?"""`,
  `'''(?:${escape}|[^\\\\])*?'''`,
  `"(?:${escape}|[^\\\\"\\n\\r])*"`,
  `'(?:${escape}|[^\\\\'\\n\\r])*'`,
  `[rR]"""[^]*?"""`,
  `[rR]'''[^]*?'''`,
  `[rR]"[^"\\n\\r]*"`,
  `[rR]'[^'\\n\\r]*'`,
].join("|");

const patterns: readonly (readonly [CelTokenKind, string])[] = [
  ["string", quoted],
  ["bytes", `[bB](?:${quoted})`],
  ["identifier", "[A-Za-z_][A-Za-z0-9_]*"],
  ["double", String.raw`\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?`],
  ["uint", "0x[0-9a-fA-F]+[uU]|[0-9]+[uU]"],
  ["int", "0x[0-9a-fA-F]+|[0-9]+"],
  ["punctuation", String.raw`==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]`],
  ["escaped", "`[A-Za-z0-9_.\\-/ ]+`"],
];

const token = new RegExp(patterns.map(([, pattern]) => `(${pattern})`).join("|"), "y");
const blank = /(?:[\t \r\n\f]+|\/\/[^\n]*)+/y;

/** The longest prefix of an invalid token that ANTLR reports. */
const beginning = new RegExp(`[bB]?(?:[rR]?["'](?:${escape}|[^\\\\\\n\\r])*(?:\\\\[^]?|[^])?|[&|=\`][^]?)|[^]`, "y");

/** Splits a source into tokens. Invalid input is reported and skipped. */
export function tokenize(source: string): { readonly tokens: readonly CelToken[]; readonly issues: readonly Issue[] } {
  const tokens: CelToken[] = [];
  const issues: Issue[] = [];
  let at = 0;
  while (at < source.length) {
    at = matchEnd(blank, source, at);
    if (at >= source.length) break;
    token.lastIndex = at;
    const found = token.exec(source);
    if (found === null) {
      const end = Math.max(matchEnd(beginning, source, at), at + 1);
      issues.push({ at, message: `Syntax error: token recognition error at: '${source.slice(at, end)}'` });
      at = end;
      continue;
    }
    tokens.push({ kind: kindOf(found), text: found[0], at });
    at = token.lastIndex;
  }
  tokens.push({ kind: "end", text: "<EOF>", at: source.length });
  return { tokens, issues };
}

function matchEnd(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : at;
}

function kindOf(found: RegExpExecArray): CelTokenKind {
  const index = found.findIndex((group, position) => position > 0 && group !== undefined);
  const kind = patterns[index - 1]?.[0] ?? "punctuation";
  // These identifiers are operators or constants in the grammar.
  return kind === "identifier" && words.has(found[0]) ? "punctuation" : kind;
}

const words: ReadonlySet<string> = new Set(["in", "true", "false", "null"]);
