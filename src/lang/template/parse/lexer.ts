import { quote, unicodeName } from "../print/quote.ts";
import { keywordOf, type Token, type TokenType } from "./token.ts";

const left = "{{";
const right = "}}";
const word = /[\p{L}\p{Nd}_]+/uy;
const printable = /^[\x20-\x7e]$/;

/** Splits a template into tokens, one at a time. An error token is the last one. */
export class TemplateLexer {
  readonly text: string;
  /** How many tokens were read. */
  tokens = 0;
  readonly #breakAllowed: boolean;
  readonly #continueAllowed: boolean;
  #pos = 0;
  #start = 0;
  #insideAction = false;
  #parenDepth = 0;
  #failed = false;

  constructor(text: string, options: { readonly breakAllowed: boolean; readonly continueAllowed: boolean }) {
    this.text = text;
    this.#breakAllowed = options.breakAllowed;
    this.#continueAllowed = options.continueAllowed;
  }

  next(): Token {
    this.tokens++;
    if (this.#failed) return { type: "EOF", pos: this.#start, value: "EOF" };
    return this.#insideAction ? this.#action() : this.#plain();
  }

  /** The line of a position, counted from 1. */
  lineAt(pos: number): number {
    let line = 1;
    for (let at = this.text.indexOf("\n"); at >= 0 && at < pos; at = this.text.indexOf("\n", at + 1)) line++;
    return line;
  }

  #plain(): Token {
    for (;;) {
      const found = this.text.indexOf(left, this.#pos);
      if (found < 0) return this.#rest();
      const trims = this.#trimsLeft(found + left.length);
      const end = trims ? this.#beforeSpace(found) : found;
      this.#pos = found;
      if (end > this.#start) {
        const token: Token = { type: "text", pos: this.#start, value: this.text.slice(this.#start, end) };
        this.#start = found;
        return token;
      }
      this.#start = found;
      const inside = found + left.length + (trims ? 2 : 0);
      if (!this.text.startsWith("/*", inside)) return this.#leftDelimiter(inside);
      const failure = this.#comment(inside);
      if (failure !== undefined) return failure;
    }
  }

  #rest(): Token {
    const from = this.#start;
    this.#pos = this.text.length;
    this.#start = this.#pos;
    return from < this.#pos ? { type: "text", pos: from, value: this.text.slice(from) } : { type: "EOF", pos: from, value: "" };
  }

  #leftDelimiter(inside: number): Token {
    const token: Token = { type: "leftDelimiter", pos: this.#start, value: left };
    this.#insideAction = true;
    this.#parenDepth = 0;
    this.#pos = this.#start = inside;
    return token;
  }

  /** Skips a comment. Returns an error token if it is malformed. */
  #comment(inside: number): Token | undefined {
    this.#start = inside;
    const close = this.text.indexOf("*/", inside + 2);
    if (close < 0) return this.#error("unclosed comment");
    const end = close + 2;
    const trims = this.#trimsRight(end);
    if (!trims && !this.text.startsWith(right, end)) return this.#error("comment ends before closing delimiter");
    this.#pos = end + right.length;
    if (trims) this.#pos = this.#afterSpace(this.#pos + 2);
    this.#start = this.#pos;
    return undefined;
  }

  #action(): Token {
    const character = this.text[this.#pos];
    if (character === undefined) return this.#error("unclosed action");
    switch (character) {
      case " ":
      case "\t":
      case "\r":
      case "\n":
        return this.#trimsRight(this.#pos) ? this.#end(true) : this.#space();
      case "}":
        return this.text[this.#pos + 1] === "}" ? this.#end(false) : this.#take("char", 1);
      case "=":
        return this.#take("assign", 1);
      case "|":
        return this.#take("pipe", 1);
      case ":":
        return this.text[this.#pos + 1] === "=" ? this.#take("declare", 2) : this.#error("expected :=");
      case '"':
        return this.#quoted('"', "string", "unterminated quoted string");
      case "'":
        return this.#quoted("'", "charConstant", "unterminated character constant");
      case "`":
        return this.#raw();
      case "$":
        return this.#fieldOrVariable("variable");
      case "(":
        this.#parenDepth++;
        return this.#take("leftParen", 1);
      case ")":
        this.#parenDepth--;
        return this.#parenDepth < 0 ? this.#error("unexpected right paren") : this.#take("rightParen", 1);
      case ".":
        // A dot before a digit or at the end of the text begins a number.
        return this.#pos + 1 < this.text.length && !this.#isDigit(this.#pos + 1) ? this.#fieldOrVariable("field") : this.#number();
      default:
        return this.#other(character);
    }
  }

  #end(trims: boolean): Token {
    return this.#parenDepth === 0 ? this.#rightDelimiter(trims) : this.#error("unclosed left paren");
  }

  #other(character: string): Token {
    if (character === "+" || character === "-" || this.#isDigit(this.#pos)) return this.#number();
    if (this.#wordEnd(this.#pos) > this.#pos) return this.#identifier();
    if (printable.test(character)) return this.#take("char", 1);
    return this.#error(`unrecognized character in action: ${unicodeName(this.text.codePointAt(this.#pos) ?? 0)}`);
  }

  #rightDelimiter(trims: boolean): Token {
    if (trims) this.#start = this.#pos += 2;
    const token = this.#take("rightDelimiter", right.length);
    if (trims) this.#start = this.#pos = this.#afterSpace(this.#pos);
    this.#insideAction = false;
    return token;
  }

  #space(): Token {
    const end = this.#afterSpace(this.#pos);
    // The last space belongs to a trim marker after it.
    if (!this.#trimsRight(end - 1)) return this.#take("space", end - this.#pos);
    if (end - this.#pos > 1) return this.#take("space", end - 1 - this.#pos);
    return this.#rightDelimiter(true);
  }

  #quoted(mark: string, type: TokenType, complaint: string): Token {
    for (let at = this.#pos + 1; at < this.text.length; at++) {
      const character = this.text[at];
      if (character === mark) return this.#take(type, at + 1 - this.#pos);
      if (character === "\n") break;
      if (character === "\\") {
        at++;
        if (this.text[at] === "\n") break;
      }
    }
    return this.#error(complaint);
  }

  #raw(): Token {
    const close = this.text.indexOf("`", this.#pos + 1);
    return close < 0 ? this.#error("unterminated raw quoted string") : this.#take("rawString", close + 1 - this.#pos);
  }

  #fieldOrVariable(type: "field" | "variable"): Token {
    if (this.#isTerminated(this.#pos + 1)) return this.#take(type === "field" ? "dot" : type, 1);
    const end = this.#wordEnd(this.#pos + 1);
    return this.#isTerminated(end) ? this.#take(type, end - this.#pos) : this.#badCharacter(end);
  }

  #identifier(): Token {
    const end = this.#wordEnd(this.#pos);
    if (!this.#isTerminated(end)) return this.#badCharacter(end);
    const text = this.text.slice(this.#pos, end);
    const keyword = keywordOf(text);
    const isName = (keyword === "break" && !this.#breakAllowed) || (keyword === "continue" && !this.#continueAllowed);
    if (keyword !== undefined && !isName) return this.#take(keyword, end - this.#pos);
    return this.#take(text === "true" || text === "false" ? "bool" : "identifier", end - this.#pos);
  }

  #badCharacter(at: number): Token {
    return this.#error(`bad character ${unicodeName(this.text.codePointAt(at) ?? 0)}`);
  }

  #number(): Token {
    const first = this.#numberEnd(this.#pos);
    if (first.bad) return this.#badNumber(first.end);
    const sign = this.text[first.end];
    if (sign !== "+" && sign !== "-") return this.#take("number", first.end - this.#pos);
    const second = this.#numberEnd(first.end);
    if (second.bad || this.text[second.end - 1] !== "i") return this.#badNumber(second.end);
    return this.#take("complex", second.end - this.#pos);
  }

  #badNumber(end: number): Token {
    return this.#error(`bad number syntax: ${quote(this.text.slice(this.#start, end))}`);
  }

  #numberEnd(from: number): { readonly end: number; readonly bad: boolean } {
    let end = matchEnd(numberShape, this.text, from);
    const bad = this.#wordEnd(end) > end;
    if (bad) end += String.fromCodePoint(this.text.codePointAt(end) ?? 0).length;
    return { end, bad };
  }

  #take(type: TokenType, length: number): Token {
    const token: Token = { type, pos: this.#start, value: this.text.substr(this.#pos, length) };
    this.#pos += length;
    this.#start = this.#pos;
    return token;
  }

  #error(complaint: string): Token {
    this.#failed = true;
    return { type: "error", pos: this.#start, value: complaint };
  }

  #isDigit(at: number): boolean {
    const unit = this.text.charCodeAt(at);
    return unit >= 48 && unit <= 57;
  }

  #wordEnd(from: number): number {
    let at = from;
    for (; at < this.text.length; at++) {
      const unit = this.text.charCodeAt(at);
      if (unit >= 0x80) return matchEnd(word, this.text, at);
      const isLetter = (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
      if (!isLetter && unit !== 95 && (unit < 48 || unit > 57)) break;
    }
    return at;
  }

  /** Whether an identifier may end here. */
  #isTerminated(at: number): boolean {
    switch (this.text[at]) {
      case undefined:
      case " ":
      case "\t":
      case "\r":
      case "\n":
      case ".":
      case ",":
      case "|":
      case ":":
      case "(":
      case ")":
        return true;
      default:
        return this.text.startsWith(right, at);
    }
  }

  #trimsLeft(at: number): boolean {
    return this.text[at] === "-" && isSpace(this.text[at + 1]);
  }

  #trimsRight(at: number): boolean {
    return this.text[at + 1] === "-" && isSpace(this.text[at]) && this.text.startsWith(right, at + 2);
  }

  #afterSpace(from: number): number {
    let at = from;
    while (isSpace(this.text[at])) at++;
    return at;
  }

  #beforeSpace(end: number): number {
    let at = end;
    while (at > this.#start && isSpace(this.text[at - 1])) at--;
    return at;
  }
}

/** The candidate of a number, as Go's lexer scans it. The parser validates it. */
const numberShape =
  /[+-]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?)i?/y;

function matchEnd(shape: RegExp, text: string, from: number): number {
  shape.lastIndex = from;
  const found = shape.exec(text);
  return found === null ? from : from + found[0].length;
}

function isSpace(character: string | undefined): boolean {
  return character === " " || character === "\n" || character === "\t" || character === "\r";
}
