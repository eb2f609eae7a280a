import { GoError } from "../template/index.ts";

const escapes: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\x1b", '"': '"', "\\": "\\" };

/** A TOML text with a read position. */
export class TomlText {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  fail(complaint: string): never {
    const line = this.#text.slice(0, this.#at).split("\n").length;
    throw new GoError(`toml: line ${line}: ${complaint}`);
  }

  take(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  expect(token: string): void {
    this.skipSpace();
    if (!this.take(token)) this.fail(`expected '${token}' but got ${this.#here()} instead`);
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
    if (!this.atEnd && this.#match(/\r?\n/y) === undefined) this.fail(`expected a new line but got ${this.#here()} instead`);
  }

  keyPart(): string {
    const bare = this.#match(/[A-Za-z0-9_-]+/y);
    if (bare !== undefined) return bare;
    return this.#quoted('"') ?? this.#quoted("'") ?? this.fail(`expected a key but got ${this.#here()} instead`);
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
    if (found === undefined) return this.fail("unexpected EOF; expected the end of a string");
    const inside = found.slice(0, -3).replace(/^\r?\n/, "");
    return mark === '"""' ? this.#unescaped(inside.replaceAll(/\\[ \t]*\r?\n\s*/g, "")) : inside;
  }

  #quoted(mark: '"' | "'"): string | undefined {
    const found = this.#match(mark === '"' ? /"(?:[^"\\\n]|\\[^\n])*"/y : /'[^'\n]*'/y);
    if (found === undefined) return undefined;
    return mark === '"' ? this.#unescaped(found.slice(1, -1)) : found.slice(1, -1);
  }

  #unescaped(text: string): string {
    return text.replaceAll(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|([^]))/g, (_, ...found: (string | undefined)[]) => {
      const code = found[0] ?? found[1] ?? found[2];
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
      return escapes[found[3] ?? ""] ?? this.fail(`invalid escape character '${found[3]}'`);
    });
  }

  #here(): string {
    return this.atEnd ? "the end of the text" : `'${this.#text[this.#at]}'`;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}
