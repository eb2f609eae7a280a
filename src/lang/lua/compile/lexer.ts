import { LuaFault } from "../run/error.ts";
import { parseNumber } from "./number.ts";

const keywords = new Set(
  "and break do else elseif end false for function goto if in local nil not or repeat return then true until while".split(" "),
);

const longSymbols = ["...", "..", "==", ">=", "<=", "~=", "::"];

/**
 * Splits a script into tokens, one at a time. `goto` is a keyword, as in gopher-lua and Lua 5.2.
 *
 * `token` is the keyword or symbol itself, or `<name>`, `<string>`, `<number>`, `<eof>`.
 */
export class LuaLexer {
  token = "<eof>";
  /** The name, or the bytes of the string. */
  text = "";
  number = 0;
  /** The lines on which the current token and the one before it end. */
  line = 1;
  lastLine = 1;
  readonly chunk: string;
  readonly #source: string;
  #position = 0;
  #raw = "";
  #ahead: { token: string; text: string; number: number; raw: string; line: number } | undefined;

  constructor(source: string, chunk: string) {
    this.chunk = chunk;
    this.#source = source;
    // A first line that begins with # is a shebang.
    if (source.startsWith("#")) this.#position = Math.max(source.indexOf("\n"), 0) || source.length;
  }

  next(): void {
    this.lastLine = this.line;
    if (this.#ahead === undefined) {
      this.token = this.#read();
      return;
    }
    const { token, text, number, raw, line } = this.#ahead;
    this.#ahead = undefined;
    this.token = token;
    this.text = text;
    this.number = number;
    this.#raw = raw;
    this.line = line;
  }

  /** The token after the current one. */
  peek(): string {
    if (this.#ahead === undefined) {
      const { token, text, number, line } = this;
      const raw = this.#raw;
      const ahead = this.#read();
      this.#ahead = { token: ahead, text: this.text, number: this.number, raw: this.#raw, line: this.line };
      Object.assign(this, { token, text, number, line });
      this.#raw = raw;
    }
    return this.#ahead.token;
  }

  fail(message: string, near: string = this.#near()): never {
    const code = near.length === 1 ? near.charCodeAt(0) : 32;
    const shown = code < 32 || code === 127 ? `char(${code})` : near;
    throw new LuaFault("syntax", `${this.chunk}:${this.line}: ${message}${near === "\0" ? "" : ` near '${shown}'`}`);
  }

  #near(): string {
    return this.token === "<name>" || this.token === "<string>" || this.token === "<number>" ? this.#raw : this.token;
  }

  #read(): string {
    this.#skipBlanks();
    const source = this.#source;
    const start = this.#position;
    if (start >= source.length) return "<eof>";
    const char = source[start] ?? "";
    if (/[A-Za-z_]/.test(char)) return this.#name();
    if (/\d/.test(char) || (char === "." && /\d/.test(source[start + 1] ?? ""))) return this.#numeral();
    if (char === '"' || char === "'") return this.#string(char);
    if (char === "[") {
      const level = this.#longLevel(start);
      if (level >= 0) return this.#longString(level, "string");
      if (level < -1) this.fail("invalid long string delimiter", source.slice(start, start - level));
    }
    const symbol = longSymbols.find((long) => source.startsWith(long, start)) ?? char;
    this.#position += symbol.length;
    return symbol;
  }

  #skipBlanks(): void {
    const source = this.#source;
    for (;;) {
      const char = source[this.#position];
      if (char === "\n" || char === "\r") this.#newLine();
      else if (char === " " || char === "\t" || char === "\v" || char === "\f") this.#position++;
      else if (char === "-" && source[this.#position + 1] === "-") this.#comment();
      else return;
    }
  }

  #newLine(): void {
    const pair = this.#source.slice(this.#position, this.#position + 2);
    this.#position += pair === "\r\n" || pair === "\n\r" ? 2 : 1;
    this.line++;
  }

  #comment(): void {
    this.#position += 2;
    const level = this.#source[this.#position] === "[" ? this.#longLevel(this.#position) : -1;
    if (level >= 0) {
      this.#longString(level, "comment");
      return;
    }
    const end = /[\r\n]/g;
    end.lastIndex = this.#position;
    this.#position = end.exec(this.#source)?.index ?? this.#source.length;
  }

  #name(): string {
    const pattern = /\w*/y;
    pattern.lastIndex = this.#position;
    const name = pattern.exec(this.#source)?.[0] ?? "";
    this.#position += name.length;
    if (keywords.has(name)) return name;
    this.text = this.#raw = name;
    return "<name>";
  }

  #numeral(): string {
    const pattern = /[\d.]+(?:[eE][+-]?)?\w*/y;
    pattern.lastIndex = this.#position;
    const text = pattern.exec(this.#source)?.[0] ?? "";
    this.#position += text.length;
    const number = parseNumber(text);
    if (number === undefined) this.fail("malformed number", text);
    this.number = number;
    this.#raw = text;
    return "<number>";
  }

  /** The number of `=` in the opening bracket of a long string; negative if it is not one. */
  #longLevel(start: number): number {
    let position = start + 1;
    while (this.#source[position] === "=") position++;
    const level = position - start - 1;
    return this.#source[position] === "[" ? level : -level - 1;
  }

  #longString(level: number, what: "string" | "comment"): string {
    const source = this.#source;
    const start = this.#position;
    const close = `]${"=".repeat(level)}]`;
    const end = source.indexOf(close, start + level + 2);
    const body = source.slice(start + level + 2, end < 0 ? undefined : end);
    const lines = body.split(/\r\n|\n\r|\n|\r/);
    this.line += lines.length - 1;
    if (end < 0) this.fail(`unfinished long ${what}`, "<eof>");
    if (lines[0] === "" && lines.length > 1) lines.shift();
    this.#position = end + close.length;
    this.text = lines.join("\n");
    this.#raw = source.slice(start, this.#position);
    return "<string>";
  }

  #string(quote: string): string {
    const source = this.#source;
    const plain = /[^\\"'\r\n]+/y;
    let text = "";
    this.#position++;
    for (;;) {
      plain.lastIndex = this.#position;
      const run = plain.exec(source)?.[0] ?? "";
      text += run;
      this.#position += run.length;
      const char = source[this.#position];
      if (char === quote) break;
      if (char === undefined) this.fail("unfinished string", "<eof>");
      if (char === "\n" || char === "\r") this.fail("unfinished string", quote + text);
      if (char === "\\") text += this.#escape(quote + text);
      else {
        text += char;
        this.#position++;
      }
    }
    this.#position++;
    this.text = text;
    this.#raw = quote + text + quote;
    return "<string>";
  }

  #escape(sofar: string): string {
    const source = this.#source;
    this.#position++;
    const char = source[this.#position] ?? "";
    if (char === "") return "";
    if (char === "\n" || char === "\r") {
      this.#newLine();
      return "\n";
    }
    const digits = /^\d{1,3}/.exec(source.slice(this.#position, this.#position + 3))?.[0];
    if (digits !== undefined) {
      if (Number(digits) > 255) this.fail("escape sequence too large", sofar);
      this.#position += digits.length;
      return String.fromCharCode(Number(digits));
    }
    this.#position++;
    return escapes[char] ?? char;
  }
}

const escapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};
