import { byteLength } from "../value/index.ts";
import { quote, quoteStart } from "../print/quote.ts";

/** The type of a token. Keywords are named after themselves. */
export type TokenType =
  | "error"
  | "bool"
  | "char"
  | "charConstant"
  | "comment"
  | "complex"
  | "assign"
  | "declare"
  | "EOF"
  | "field"
  | "identifier"
  | "leftDelimiter"
  | "leftParen"
  | "number"
  | "pipe"
  | "rawString"
  | "rightDelimiter"
  | "rightParen"
  | "space"
  | "string"
  | "text"
  | "variable"
  | Keyword;

type Keyword = "block" | "break" | "continue" | "dot" | "define" | "else" | "end" | "if" | "nil" | "range" | "template" | "with";

export type Token = {
  readonly type: TokenType;
  /** Its start, in UTF-16 units. */
  readonly pos: number;
  readonly value: string;
};

const keywords: ReadonlyMap<string, Keyword> = new Map(
  (["block", "break", "continue", "define", "else", "end", "if", "nil", "range", "template", "with"] as const).map((word) => [word, word]),
);
const keywordTypes: ReadonlySet<TokenType> = new Set<TokenType>([...keywords.values(), "dot"]);

/** The keyword that a word is; undefined when it is none. */
export function keywordOf(word: string): Keyword | undefined {
  return keywords.get(word);
}

/** Formats a token for an error message. */
export function describe({ type, value }: Token): string {
  if (type === "EOF") return "EOF";
  if (type === "error") return value;
  if (keywordTypes.has(type)) return `<${value}>`;
  return byteLength(value) > 10 ? `${quoteStart(value, 10)}...` : quote(value);
}
