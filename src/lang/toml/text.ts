import { GoError, quote, quoteRune } from "../template/index.ts";

const escapes: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\x1b", '"': '"', "\\": "\\" };

/** A TOML text with a read position. */
export class TomlText {
  readonly #text: string;
  #at = 0;
  /** The key that is being read, as messages name it. */
  lastKey = "";

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  fail(complaint: string, at = this.#at): never {
    const line = this.#text.slice(0, at).split("\n").length;
    const key = this.lastKey === "" ? "" : ` (last key ${quote(this.lastKey)})`;
    throw new GoError(`toml: line ${line}${key}: ${complaint}`);
  }

  /** Fails at the character that is next. BurntSushi/toml has read it by then: a line break counts as the next line. */
  failAt(complaint: (character: string) => string): never {
    return this.fail(complaint(this.#shown()), this.#at + (this.startsWith("\n") ? 1 : 0));
  }

  startsWith(token: string): boolean {
    return this.#text.startsWith(token, this.#at);
  }

  take(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  /** What is next as it is written in messages about lists and inline tables. */
  next(): string {
    return this.atEnd ? "end of file" : this.#shown();
  }

  skipSpace(): void {
    this.#match(/[ \t]*/y);
  }

  /** Skips spaces, line breaks and comments. */
  skipBlank(): void {
    this.#match(/(?:[ \t\r\n]|#[^\n]*)*/y);
  }

  endOfLine(): void {
    this.#match(/[ \t]*(?:#[^\n]*)?/y);
    if (!this.atEnd && this.#match(/\r?\n/y) === undefined)
      this.fail(`expected a top-level item to end with a newline, comment, or EOF, but got ${this.#shown()} instead`);
  }

  keyPart(): string {
    const bare = this.#match(/[A-Za-z0-9_-]+/y);
    if (bare !== undefined) return bare;
    return this.#quoted('"') ?? this.#quoted("'") ?? this.fail(this.#keyComplaint());
  }

  #keyComplaint(): string {
    if (this.atEnd || this.startsWith("=")) return "unexpected '=': key name appears blank";
    if (this.startsWith(".")) return "unexpected '.': keys cannot start with a '.'";
    return `expected '.' or '=', but got ${this.#shown()} instead`;
  }

  /** Reads an unquoted value: a number, a date or a literal. */
  word(): string {
    const dateTime = this.#match(/\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]+/y);
    return dateTime?.replace(" ", "T") ?? this.#match(/[^\s,\]}#]+/y) ?? "";
  }

  string(): string | undefined {
    return this.#multiline('"""') ?? this.#multiline("'''") ?? this.#quoted('"') ?? this.#quoted("'");
  }

  #multiline(mark: '"""' | "'''"): string | undefined {
    if (!this.take(mark)) return undefined;
    const found = this.#match(mark === '"""' ? /(?:[^"\\]|\\[^]|"{1,2}(?!"))*"{0,2}"""/y : /(?:[^']|'{1,2}(?!'))*'{0,2}'''/y);
    if (found === undefined) return this.fail(`unexpected EOF; expected ${mark === '"""' ? `'"""'` : `"'''"`}`);
    const inside = found.slice(0, -3).replace(/^\r?\n/, "");
    return mark === '"""' ? this.#unescaped(inside.replaceAll(/\\[ \t]*\r?\n\s*/g, "")) : inside;
  }

  #quoted(mark: '"' | "'"): string | undefined {
    const found = this.#match(mark === '"' ? /"(?:[^"\\\n]|\\[^\n])*"/y : /'[^'\n]*'/y);
    if (found === undefined) return this.startsWith(mark) ? this.#unterminated(mark) : undefined;
    return mark === '"' ? this.#unescaped(found.slice(1, -1)) : found.slice(1, -1);
  }

  #unterminated(mark: '"' | "'"): never {
    const ends = this.#text.indexOf("\n", this.#at) < 0;
    return this.fail(ends ? `unexpected EOF; expected ${mark === '"' ? `'"'` : `"'"`}` : "strings cannot contain newlines");
  }

  #unescaped(text: string): string {
    return text.replaceAll(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|([^]))/g, (_, ...found: (string | undefined)[]) => {
      const code = found[0] ?? found[1] ?? found[2];
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
      return escapes[found[3] ?? ""] ?? this.fail(`invalid escape in string '\\${found[3]}'`);
    });
  }

  #shown(): string {
    return quoteRune(this.#text.codePointAt(this.#at) ?? 0);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}
