import { YamlFault } from "../yaml-fault.ts";
import { afterSpaces, blankOrEnd, characters, code, codesOf, releaseCodes, lineBreak, type Codes } from "./character.ts";

/** A line break that is no line feed. */
const otherBreak = /[\r\x85\u2028\u2029]/;

/** A position in a text, and the last scalar. Columns count characters: every surrogate pair moves the start of its line by one. */
export class TextCursor {
  readonly text: string;
  readonly #room: Codes;
  #isClosed = false;
  readonly codes: Uint8Array;
  /** The same, eight at a time. */
  readonly words: Float64Array;
  /** Where the text ends and the padding begins. */
  readonly end: number;
  readonly hasOnlyLineFeeds: boolean;
  pos: number;
  line = 0;
  lineStart: number;
  astral = 0;
  /** The last scalar: its value is `cooked`, or the text from `from` to `to`. */
  from = 0;
  to = 0;
  cooked: string | undefined = undefined;
  /** Quoted scalars may have the escapes of JSON that YAML 1.1 lacks. */
  takesJson = false;
  /** Scalars are validated, but their text is not built. */
  discards = false;

  constructor(text: string, isSimple: boolean) {
    this.text = text;
    this.#room = codesOf(text, isSimple);
    this.codes = this.#room.bytes;
    this.words = this.#room.words;
    this.end = text.length;
    this.hasOnlyLineFeeds = isSimple || !otherBreak.test(text);
    this.pos = text.startsWith("\uFEFF") ? 1 : 0;
    this.lineStart = this.pos;
  }

  /** Releases the buffer. A second call has no effect, because the buffer may be in use again. */
  close(): void {
    if (!this.#isClosed) releaseCodes(this.#room);
    this.#isClosed = true;
  }

  /** Skips a line break and returns its value: only line and paragraph separators stand for themselves. */
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

  /** Moves to the end of the line. Columns are not tracked. */
  passLine(): void {
    this.pos = this.lineEnd();
  }

  lineEnd(): number {
    if (this.hasOnlyLineFeeds) {
      const found = this.text.indexOf("\n", this.pos);
      return found < 0 ? this.end : found;
    }
    let at = this.pos;
    while (at < this.end && (characters[this.codes[at]!]! & lineBreak) === 0) at++;
    return at;
  }

  /** Whether a `---` or `...` marker is here. Only valid at the beginning of a line. */
  isAtMarker(): boolean {
    const { codes, pos } = this;
    const first = codes[pos]!;
    if (first !== code.minus && first !== code.dot) return false;
    if (codes[pos + 1] !== first || codes[pos + 2] !== first) return false;
    return (characters[codes[pos + 3]!]! & blankOrEnd) !== 0;
  }

  /** Models parser.fail of decode.go for scanner errors: the first line is not named. */
  fail(problem: string): never {
    const where = this.line === 0 ? "" : `line ${this.line + 1}: `;
    throw new YamlFault(`yaml: ${where}${problem}`, problem, this.line + 1, this.text.charAt(this.pos));
  }
}
