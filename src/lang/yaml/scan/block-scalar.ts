import { afterSpaces, blank, characters, code, lineBreak, textEnd } from "./character.ts";
import type { TextCursor } from "./text-cursor.ts";

/**
 * Scans a literal (`|`) or folded (`>`) scalar. `outer` is the indent of the enclosing collection. Models
 * yaml_parser_scan_block_scalar of go.yaml.in/yaml/v2 scannerc.go.
 */
export function scanBlockScalar(cursor: TextCursor, isLiteral: boolean, outer: number): void {
  cursor.from = cursor.pos++;
  const { chomping, increment } = header(cursor);
  endOfHeader(cursor);
  const breaks = new BreakScanner(cursor, outer, increment === 0 ? 0 : Math.max(outer, 0) + increment);
  breaks.scan();
  const isPassed = cursor.hasOnlyLineFeeds && (isLiteral || cursor.discards) && isAtLine(cursor, breaks);
  const { value, lastBreak } = isPassed ? passedLines(cursor, breaks) : new Body(cursor, breaks, isLiteral).read();
  cursor.cooked = value + (chomping === code.minus ? "" : lastBreak) + (chomping === code.plus ? breaks.found : "");
  cursor.to = cursor.pos;
}

/** The lines of a scalar, and the break after the last line. */
type Lines = { readonly value: string; readonly lastBreak: string };

function isAtLine(cursor: TextCursor, { indent }: BreakScanner): boolean {
  return cursor.pos - cursor.lineStart === indent && cursor.codes[cursor.pos] !== 0;
}

/**
 * Scans literal or discarded lines that end in line feeds only, which is most text of large files. Equivalent to Body, but builds
 * one string.
 */
function passedLines(cursor: TextCursor, breaks: BreakScanner): Lines {
  const { text } = cursor;
  const { found, indent } = breaks;
  const from = cursor.pos;
  let end = from;
  let blanks = 0;
  let isUneven = false;
  do {
    end = cursor.lineEnd();
    blanks = 0;
    cursor.pos = end;
    if (end === cursor.end) break;
    for (; cursor.codes[cursor.pos] === code.newline; blanks++) {
      isUneven ||= blanks > 0 && cursor.pos > cursor.lineStart;
      passIndent(cursor, indent);
    }
  } while (isAtLine(cursor, breaks));
  breaks.found = "\n".repeat(Math.max(blanks - 1, 0));
  const value = cursor.discards ? "" : found + linesIn(text.slice(from, end), indent, isUneven);
  return { value, lastBreak: end < cursor.end ? "\n" : "" };
}

/** Skips a line feed and up to `indent` spaces. */
function passIndent(cursor: TextCursor, indent: number): void {
  const start = cursor.pos + 1;
  const pos = Math.min(afterSpaces(cursor.codes, cursor.words, start), start + indent);
  cursor.line++;
  cursor.lineStart = start;
  cursor.pos = pos;
  if (cursor.codes[pos] === code.tab && pos - start < indent) cursor.fail("found a tab character where an indentation space is expected");
}

/** Removes the indent of every line. Blank lines may have less. */
function linesIn(text: string, indent: number, isUneven: boolean): string {
  if (!text.includes("\n")) return text;
  const even = isUneven ? text.replaceAll(new RegExp(`\\n {1,${indent}}(?=\\n)`, "g"), "\n") : text;
  return even.split(`\n${" ".repeat(indent)}`).join("\n");
}

function header(cursor: TextCursor): { chomping: number; increment: number } {
  let chomping = chompingAt(cursor);
  const increment = incrementAt(cursor);
  if (chomping === 0) chomping = increment === 0 ? 0 : chompingAt(cursor);
  return { chomping, increment };
}

function chompingAt(cursor: TextCursor): number {
  const found = cursor.codes[cursor.pos]!;
  if (found !== code.plus && found !== code.minus) return 0;
  cursor.pos++;
  return found;
}

function incrementAt(cursor: TextCursor): number {
  const found = cursor.codes[cursor.pos]!;
  if (found < code.zero || found > code.nine) return 0;
  if (found === code.zero) cursor.fail("found an indentation indicator equal to 0");
  cursor.pos++;
  return found - code.zero;
}

function endOfHeader(cursor: TextCursor): void {
  const { codes } = cursor;
  while ((characters[codes[cursor.pos]!]! & blank) !== 0) cursor.pos++;
  if (codes[cursor.pos] === code.hash) cursor.passLine();
  const kind = characters[codes[cursor.pos]!]!;
  if ((kind & (lineBreak | textEnd)) === 0) cursor.fail("did not find expected comment or line break");
  if ((kind & lineBreak) !== 0) cursor.passBreak();
}

/** Skips the indent and the empty lines before a line of text. The first line sets the indent unless it is explicit. */
class BreakScanner {
  readonly #cursor: TextCursor;
  readonly #outer: number;
  indent: number;
  /** The line breaks since the last line of text. */
  found = "";

  constructor(cursor: TextCursor, outer: number, indent: number) {
    this.#cursor = cursor;
    this.#outer = outer;
    this.indent = indent;
  }

  scan(): void {
    const cursor = this.#cursor;
    const { codes } = cursor;
    const { indent } = this;
    let widest = 0;
    for (;;) {
      const after = afterSpaces(codes, cursor.words, cursor.pos);
      const pos = indent === 0 ? after : Math.min(after, Math.max(cursor.pos, cursor.lineStart + indent));
      cursor.pos = pos;
      const column = pos - cursor.lineStart;
      if (column > widest) widest = column;
      const found = codes[pos]!;
      if (found === code.tab && (indent === 0 || column < indent))
        cursor.fail("found a tab character where an indentation space is expected");
      if ((characters[found]! & lineBreak) === 0) break;
      this.found += cursor.passBreak();
    }
    if (indent === 0) this.indent = Math.max(widest, this.#outer + 1, 1);
  }
}

class Body {
  readonly #cursor: TextCursor;
  readonly #breaks: BreakScanner;
  readonly #isLiteral: boolean;
  #isIndented = false;
  value = "";
  /** The break after the last line of text. */
  lastBreak = "";

  constructor(cursor: TextCursor, breaks: BreakScanner, isLiteral: boolean) {
    this.#cursor = cursor;
    this.#breaks = breaks;
    this.#isLiteral = isLiteral;
  }

  read(): Lines {
    while (isAtLine(this.#cursor, this.#breaks)) this.#line();
    return this;
  }

  #line(): void {
    const cursor = this.#cursor;
    const breaks = this.#breaks;
    const { codes, pos, text } = cursor;
    const end = cursor.lineEnd();
    if (!cursor.discards) this.#append(text.slice(pos, end), (characters[codes[pos]!]! & blank) !== 0);
    breaks.found = "";
    cursor.pos = end;
    this.lastBreak = end < cursor.end ? cursor.passBreak() : "";
    breaks.scan();
  }

  /** Appends a line. Folded lines are joined unless one of them is indented further. */
  #append(line: string, isIndented: boolean): void {
    const { found } = this.#breaks;
    const isFolded = !this.#isLiteral && !this.#isIndented && !isIndented && this.lastBreak === "\n";
    const between = isFolded ? (found === "" ? " " : found) : this.lastBreak + found;
    this.value += between + line;
    this.#isIndented = isIndented;
  }
}
