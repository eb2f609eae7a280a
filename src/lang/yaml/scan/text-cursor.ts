import { YamlFault } from "../yaml-fault.ts";
import { afterSpaces, blankOrEnd, characters, code, codesOf, releaseCodes, lineBreak, type Codes } from "./character.ts";

/**
 * A place in a text, and the scalar that was read last. Columns count characters, not UTF-16 units: each character beyond
 * the basic plane moves the beginning of its line by one.
 */
export class TextCursor {
  readonly text: string;
  readonly #room: Codes;
  #isClosed = false;
  readonly codes: Uint8Array;
  /** The same, eight at a time. */
  readonly words: Float64Array;
  /** Where the text ends and the padding begins. */
  readonly end: number;
  /** ASCII without carriage returns: a line feed is the only line break. */
  readonly isSimple: boolean;
  pos: number;
  line = 0;
  lineStart: number;
  astral = 0;
  /** The scalar read last: its value is `cooked`, or the text between `from` and `to` as it stands. */
  from = 0;
  to = 0;
  cooked: string | undefined = undefined;
  /** Quoted scalars may hold the escapes that JSON has and YAML 1.1 has not. */
  takesJson = false;
  /** The text of scalars is not wanted; only that they are well formed. */
  discards = false;

  constructor(text: string, isSimple: boolean) {
    this.text = text;
    this.#room = codesOf(text, isSimple);
    this.codes = this.#room.bytes;
    this.words = this.#room.words;
    this.end = text.length;
    this.isSimple = isSimple;
    this.pos = text.startsWith("\uFEFF") ? 1 : 0;
    this.lineStart = this.pos;
  }

  /** Nothing is read after that. Calling it again does nothing: the room may be somebody else's by then. */
  close(): void {
    if (!this.#isClosed) releaseCodes(this.#room);
    this.#isClosed = true;
  }

  /** Passes a line break, and gives what it means: only a line or paragraph separator stands for itself. */
  passBreak(): string {
    const found = this.codes[this.pos++]!;
    if (found === code.return && this.codes[this.pos] === code.newline) this.pos++;
    this.line++;
    this.lineStart = this.pos;
    if (found < code.other || found === code.nextLine) return "\n";
    return found === code.lineSeparator ? "\u2028" : "\u2029";
  }

  passSpaces(): void {
    this.pos = afterSpaces(this.codes, this.words, this.pos);
  }

  passCharacter(): void {
    if (this.codes[this.pos] === code.highSurrogate) {
      this.pos++;
      this.lineStart++;
      this.astral++;
    }
    this.pos++;
  }

  /** Goes to the end of the line. What columns are there does not matter to anybody. */
  passLine(): void {
    this.pos = this.lineEnd();
  }

  lineEnd(): number {
    if (this.isSimple) {
      const found = this.text.indexOf("\n", this.pos);
      return found < 0 ? this.end : found;
    }
    let at = this.pos;
    while (at < this.end && (characters[this.codes[at]!]! & lineBreak) === 0) at++;
    return at;
  }

  /** Tells whether `---` or `...` stands here by itself. Counts at the beginning of a line only. */
  isAtMarker(): boolean {
    const { codes, pos } = this;
    const first = codes[pos]!;
    if (first !== code.minus && first !== code.dot) return false;
    if (codes[pos + 1] !== first || codes[pos + 2] !== first) return false;
    return (characters[codes[pos + 3]!]! & blankOrEnd) !== 0;
  }

  /** Models parser.fail of decode.go for what the scanner finds: the first line is not named. */
  fail(problem: string): never {
    const where = this.line === 0 ? "" : `line ${this.line + 1}: `;
    throw new YamlFault(`yaml: ${where}${problem}`, problem, this.line + 1, this.text.charAt(this.pos));
  }
}
