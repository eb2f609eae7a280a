import type { YamlDialect } from "./dialect.ts";

/** Where a string is emitted: its column, the indent of further lines, and whether it is a simple key. */
type ScalarContext = { readonly column: number; readonly indent: number; readonly isKey: boolean };

/** Text without indicators, with single spaces and colons. */
const harmless = /^[A-Za-z_/$(](?:[\w./$()=+,;-]|[ :](?=[\w./$()=+,;-]))*$/;
const unsafeBreaks = /[\u2028\u2029]/;
const surrogate = /[\uD800-\uDFFF]/;
/** Characters beyond the basic plane count as not printable and are escaped. */
const printable = /^[\n\x20-\x7E\xA0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD]*$/;
const printableOrTab = /^[\t\n\x20-\x7E\xA0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD]*$/;
const indicator = /^[#,[\]{}&*!|>'"%@`]|^[?:-](?:[ \t]|$)|:(?:[ \t]|$)|[ \t]#|^ | $|^---|^\.\.\./;

/** Emits strings in the style that go-yaml chooses. Models stringv of encode.go, and emitterc.go. */
export class ScalarEmitter {
  readonly #dialect: YamlDialect;
  /** Escapes line and paragraph separators and a key `<<`, which go-yaml writes but does not read back. */
  readonly #readsBack: boolean;

  constructor(dialect: YamlDialect, readsBack: boolean) {
    this.#dialect = dialect;
    this.#readsBack = readsBack;
  }

  emit(text: string, place: ScalarContext): string {
    if (harmless.test(text) && (place.column + text.length <= this.#dialect.width || place.isKey) && this.#dialect.isPlainString(text))
      return text;
    if (unsafeBreaks.test(text)) return this.#broken(text, place);
    const isMultiline = text.includes("\n");
    if (isMultiline) return this.#isBlockAllowed(text) && !place.isKey ? literal(text, place.indent) : this.#doubleQuoted(text, place);
    if (!this.#dialect.isPlainString(text) || !printable.test(text)) return this.#doubleQuoted(text, place);
    if (this.#readsBack && place.isKey && text === "<<") return this.#doubleQuoted(text, place);
    return indicator.test(text) ? this.#singleQuoted(text, place) : this.#folded(text, place, false);
  }

  #isBlockAllowed(text: string): boolean {
    return (this.#dialect.allowsTabs ? printableOrTab : printable).test(text) && !text.includes(" \n") && !text.endsWith(" ");
  }

  /** Emits a text with line or paragraph separators. They stay as line breaks, followed by the indent. */
  #broken(text: string, place: ScalarContext): string {
    if (this.#readsBack || place.isKey || / [\n\u2028\u2029]/.test(text)) return this.#doubleQuoted(text, place);
    if (text.includes("\n")) return this.#isBlockAllowed(text) ? literal(text, place.indent) : this.#doubleQuoted(text, place);
    if (!this.#dialect.isPlainString(text) || !printable.test(text) || /[\u2028\u2029] /.test(text)) return this.#doubleQuoted(text, place);
    return this.#singleQuoted(text, place);
  }

  #singleQuoted(text: string, place: ScalarContext): string {
    return `'${this.#folded(text.replaceAll("'", "''"), { ...place, column: place.column + 1 }, true)}'`;
  }

  /** Folds at single spaces beyond the width. */
  #folded(text: string, { column, indent, isKey }: ScalarContext, isQuoted: boolean): string {
    const { width } = this.#dialect;
    const isOneLine = !unsafeBreaks.test(text);
    if (isOneLine && (isKey || column + text.length <= width)) return text;
    if (isOneLine && !surrogate.test(text)) return foldedByUnits(text, { column, indent, width, isQuoted });
    const characters = [...text];
    let out = "";
    let at = column;
    let isBroken = false;
    for (const [index, character] of characters.entries()) {
      const isAlone = character === " " && characters[index + 1] !== " " && characters[index - 1] !== " ";
      const isInside = !isQuoted || (index > 0 && index < characters.length - 1);
      if (isAlone && isInside && at > width && !isKey) {
        out += `\n${" ".repeat(indent)}`;
        at = indent;
      } else if (character === "\u2028" || character === "\u2029") {
        out += character;
        at = 0;
      } else {
        if (isBroken) {
          out += " ".repeat(indent);
          at = indent;
        }
        out += character;
        at++;
      }
      isBroken = character === "\u2028" || character === "\u2029";
    }
    return out;
  }

  #doubleQuoted(text: string, { column, indent, isKey }: ScalarContext): string {
    const characters = [...text];
    // A quirk of go-yaml: after a leading byte order mark everything is escaped.
    const isMarked = text.startsWith("\uFEFF");
    let out = '"';
    let at = column + 1;
    for (const [index, character] of characters.entries()) {
      let piece = character === " " && !isMarked ? " " : escaped(character, isMarked);
      const folds = piece === " " && characters[index - 1] !== " " && index > 0 && index < characters.length - 1;
      if (folds && !isKey && at > this.#dialect.width) {
        // A leading space would be lost, so the next one is escaped.
        piece = `\n${" ".repeat(indent)}${characters[index + 1] === " " ? "\\" : ""}`;
        at = piece.length - 1;
      } else at += piece.length;
      out += piece;
    }
    return `${out}"`;
  }
}

type Folding = { readonly column: number; readonly indent: number; readonly width: number; readonly isQuoted: boolean };

/** A fast form of `#folded` for text without line breaks and surrogate pairs. */
function foldedByUnits(text: string, { column, indent, width, isQuoted }: Folding): string {
  const first = isQuoted ? 1 : 0;
  const line = `\n${" ".repeat(indent)}`;
  let out = "";
  let from = 0;
  let start = column;
  for (;;) {
    let space = text.indexOf(" ", Math.max(from + Math.max(width - start + 1, 0), first));
    while (space >= 0 && (text[space + 1] === " " || text[space - 1] === " ")) space = text.indexOf(" ", space + 1);
    if (space < 0 || (isQuoted && space === text.length - 1)) return out + text.slice(from);
    out += text.slice(from, space) + line;
    from = space + 1;
    start = indent;
  }
}

const escapes: Readonly<Record<string, string>> = {
  "\0": "0",
  "\x07": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\x1B": "e",
  '"': '"',
  "\\": "\\",
  "\x85": "N",
  "\xA0": "_",
  "\u2028": "L",
  "\u2029": "P",
};
const needsEscape = /["\\\n\u2028\u2029]/;

function escaped(character: string, isForced: boolean): string {
  if (!isForced && printable.test(character) && !needsEscape.test(character)) return character;
  const short = escapes[character];
  if (short !== undefined) return `\\${short}`;
  const hex = character.codePointAt(0)!.toString(16).toUpperCase();
  if (hex.length <= 2) return `\\x${hex.padStart(2, "0")}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

function literal(text: string, indent: number): string {
  const hint = /^[ \n\u2028\u2029]/.test(text) ? "2" : "";
  const chomp = /(?:^|[\n\u2028\u2029])[\n\u2028\u2029]$/.test(text) ? "+" : /[\n\u2028\u2029]$/.test(text) ? "" : "-";
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  const pad = " ".repeat(indent);
  const lines = body.replaceAll(/^(?=[^\n\r\u2028\u2029])/gm, pad);
  return `|${hint}${chomp}\n${lines}`;
}
