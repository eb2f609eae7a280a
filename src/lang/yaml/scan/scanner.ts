import { scanBlockScalar } from "./block-scalar.ts";
import { blankOrEnd, characters, code, lineBreak } from "./character.ts";
import { TextCursor } from "./text-cursor.ts";
import { scanPlainScalar } from "./plain-scalar.ts";
import { scanQuotedScalar } from "./quoted-scalar.ts";
import { longestKey, SimpleKeys } from "./simple-keys.ts";
import { scanAnchor, scanDirective, scanTag, type Directive, type Tag } from "./tag.ts";
import { token } from "./token.ts";

/** The depth limit of flow collections and indents. */
const deepest = 10_000;

/**
 * Produces tokens lazily. `tokenLine`, `tokenStart` and the like describe the next token. The queue has one array per property.
 * Models go.yaml.in/yaml/v2 scannerc.go, including quirks and messages.
 */
export class Scanner extends TextCursor {
  readonly #keys = new SimpleKeys(this);
  readonly #types: number[] = [];
  readonly #lines: number[] = [];
  readonly #starts: number[] = [];
  readonly #froms: number[] = [];
  readonly #tos: number[] = [];
  readonly #cooked: (string | undefined)[] = [];
  readonly #details: (Tag | Directive | undefined)[] = [];
  readonly #indents: number[] = [];
  #indent = -1;
  #head = 0;
  #tail = 0;
  #parsed = 0;
  #isAvailable = false;
  #isKeyAllowed = true;

  /** The type of the next token. Scans if necessary. */
  peek(): number {
    if (!this.#isAvailable) {
      while (this.#head === this.#tail || this.#keys.mayBegin(this.#parsed)) this.#fetch();
      this.#isAvailable = true;
    }
    return this.#types[this.#head]!;
  }

  skip(): void {
    this.#isAvailable = false;
    this.#parsed++;
    if (++this.#head === this.#tail) {
      this.#head = 0;
      this.#tail = 0;
    }
  }

  get tokenLine(): number {
    return this.#lines[this.#head]!;
  }

  /** The offset of the token. */
  get tokenStart(): number {
    return this.#starts[this.#head]!;
  }

  get tokenFrom(): number {
    return this.#froms[this.#head]!;
  }

  get tokenTo(): number {
    return this.#tos[this.#head]!;
  }

  /** The value of a scalar that is not a slice of the text. */
  get tokenCooked(): string | undefined {
    return this.#cooked[this.#head];
  }

  get tokenText(): string {
    return this.#cooked[this.#head] ?? this.text.slice(this.#froms[this.#head], this.#tos[this.#head]);
  }

  get tokenDetail(): Tag | Directive | undefined {
    return this.#details[this.#head];
  }

  #push(type: number, line: number, start: number): void {
    const at = this.#tail++;
    this.#types[at] = type;
    this.#lines[at] = line;
    this.#starts[at] = start;
  }

  /** Inserts a token before the one with this number, or at the end if that is consumed. */
  #insert(number: number, type: number): void {
    const at = this.#head + number - this.#parsed;
    const { line, start } = this.#keys;
    if (number < this.#parsed || at >= this.#tail) return this.#push(type, line, start);
    for (let to = this.#tail++; to > at; to--) {
      this.#types[to] = this.#types[to - 1]!;
      this.#lines[to] = this.#lines[to - 1]!;
      this.#starts[to] = this.#starts[to - 1]!;
      this.#froms[to] = this.#froms[to - 1]!;
      this.#tos[to] = this.#tos[to - 1]!;
      this.#cooked[to] = this.#cooked[to - 1];
      this.#details[to] = this.#details[to - 1];
    }
    this.#types[at] = type;
    this.#lines[at] = line;
    this.#starts[at] = start;
  }

  #fetch(): void {
    this.#passWhiteSpace();
    const column = this.pos - this.lineStart;
    if (this.#keys.level === 0 && this.#indent > column) this.#unroll(column);
    const found = this.codes[this.pos]!;
    if (found === 0) return this.#streamEnd();
    if (column === 0) {
      if (found === code.percent) return this.#directive();
      if (this.isAtMarker()) return this.#marker(found === code.minus ? token.documentStart : token.documentEnd);
    }
    this.#indicator(found);
  }

  #indicator(found: number): void {
    switch (found) {
      case code.openBracket:
        return this.#open(token.flowSequenceStart);
      case code.openBrace:
        return this.#open(token.flowMappingStart);
      case code.closeBracket:
        return this.#close(token.flowSequenceEnd);
      case code.closeBrace:
        return this.#close(token.flowMappingEnd);
      case code.comma:
        return this.#flowEntry();
      case code.minus:
        return this.#isAlone() ? this.#blockEntry() : this.#plain();
      case code.question:
        return this.#keys.level > 0 || this.#isAlone() ? this.#key() : this.#plain();
      case code.colon:
        return this.#keys.level > 0 || this.#isAlone() ? this.#value() : this.#plain();
      case code.star:
        return this.#named(token.alias);
      case code.ampersand:
        return this.#named(token.anchor);
      case code.bang:
        return this.#tag();
      case code.pipe:
      case code.greater:
        return this.#keys.level > 0 ? this.#unknown() : this.#block(found === code.pipe);
      case code.quote:
        return this.#quoted(true);
      case code.doubleQuote:
        return this.#quoted(false);
      case code.percent:
      case code.at:
      case code.backtick:
      case code.tab:
        return this.#unknown();
      default:
        return this.#plain();
    }
  }

  #isAlone(): boolean {
    return (characters[this.codes[this.pos + 1]!]! & blankOrEnd) !== 0;
  }

  #unknown(): never {
    this.fail("found character that cannot start any token");
  }

  #passWhiteSpace(): void {
    const { codes } = this;
    for (;;) {
      this.passSpaces();
      let found = codes[this.pos]!;
      const tabs = this.#keys.level > 0 || !this.#isKeyAllowed ? code.tab : code.space;
      while (found === code.space || found === tabs) found = codes[++this.pos]!;
      if (found === code.hash) {
        this.passLine();
        found = codes[this.pos]!;
      }
      if ((characters[found]! & lineBreak) === 0) return;
      this.passBreak();
      if (this.#keys.level === 0) this.#isKeyAllowed = true;
    }
  }

  #unroll(column: number): void {
    while (this.#indent > column) {
      this.#push(token.blockEnd, this.line, this.pos);
      this.#indent = this.#indents.pop()!;
    }
  }

  /** Begins a block collection if the column is further in than the current indent. */
  #roll(column: number): boolean {
    if (this.#keys.level > 0 || this.#indent >= column) return false;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > deepest) this.fail(`exceeded max depth of ${deepest}`);
    return true;
  }

  /** Ends all blocks: at a document marker, a directive or the end of the text. */
  #reset(): void {
    if (this.#keys.level === 0) this.#unroll(-1);
    this.#keys.remove();
    this.#isKeyAllowed = false;
  }

  #streamEnd(): void {
    if (this.pos !== this.lineStart) {
      this.line++;
      this.lineStart = this.pos;
    }
    this.#reset();
    this.#push(token.streamEnd, this.line, this.pos);
  }

  #directive(): void {
    this.#reset();
    const { line, pos } = this;
    const directive = scanDirective(this);
    this.#details[this.#tail] = directive;
    this.#push(token.directive, line, pos);
  }

  #marker(type: number): void {
    this.#reset();
    this.#push(type, this.line, this.pos);
    this.pos += 3;
  }

  #open(type: number): void {
    if (this.#isKeyAllowed) this.#saveKey();
    this.#keys.open(this.#nextNumber());
    if (this.#keys.level > deepest) this.fail(`exceeded max depth of ${deepest}`);
    this.#isKeyAllowed = true;
    this.#push(type, this.line, this.pos++);
  }

  #close(type: number): void {
    this.#keys.remove();
    this.#keys.close();
    this.#isKeyAllowed = false;
    this.#push(type, this.line, this.pos++);
  }

  #flowEntry(): void {
    this.#keys.remove();
    this.#isKeyAllowed = true;
    this.#push(token.flowEntry, this.line, this.pos++);
  }

  #blockEntry(): void {
    if (this.#keys.level === 0) {
      if (!this.#isKeyAllowed) this.fail("block sequence entries are not allowed in this context");
      if (this.#roll(this.pos - this.lineStart)) this.#push(token.blockSequenceStart, this.line, this.pos);
    }
    this.#keys.remove();
    this.#isKeyAllowed = true;
    this.#push(token.blockEntry, this.line, this.pos++);
  }

  #key(): void {
    if (this.#keys.level === 0) {
      if (!this.#isKeyAllowed) this.fail("mapping keys are not allowed in this context");
      if (this.#roll(this.pos - this.lineStart)) this.#push(token.blockMappingStart, this.line, this.pos);
    }
    this.#keys.remove();
    this.#isKeyAllowed = this.#keys.level === 0;
    this.#push(token.key, this.line, this.pos++);
  }

  #value(): void {
    const keys = this.#keys;
    if (keys.isValid()) {
      this.#insert(keys.token, token.key);
      if (this.#roll(keys.column)) this.#insert(keys.token, token.blockMappingStart);
      keys.take();
      this.#isKeyAllowed = false;
    } else {
      if (keys.level === 0) {
        if (!this.#isKeyAllowed) this.fail("mapping values are not allowed in this context");
        if (this.#roll(this.pos - this.lineStart)) this.#push(token.blockMappingStart, this.line, this.pos);
      }
      this.#isKeyAllowed = keys.level === 0;
    }
    this.#push(token.value, this.line, this.pos++);
  }

  #named(type: number): void {
    if (this.#isKeyAllowed) this.#saveKey();
    this.#isKeyAllowed = false;
    const { line, pos } = this;
    const name = scanAnchor(this);
    this.#cooked[this.#tail] = name;
    this.#push(type, line, pos);
  }

  #tag(): void {
    if (this.#isKeyAllowed) this.#saveKey();
    this.#isKeyAllowed = false;
    const { line, pos } = this;
    const tag = scanTag(this);
    this.#details[this.#tail] = tag;
    this.#push(token.tag, line, pos);
  }

  #block(isLiteral: boolean): void {
    this.#keys.remove();
    this.#isKeyAllowed = true;
    const { line, pos } = this;
    scanBlockScalar(this, isLiteral, this.#indent);
    this.#scalar(token.quotedScalar, line, pos);
  }

  #quoted(isSingle: boolean): void {
    const mayBeKey = this.#isKeyAllowed;
    if (mayBeKey) this.#saveKey();
    this.#isKeyAllowed = false;
    const { line, pos } = this;
    scanQuotedScalar(this, isSingle);
    if (mayBeKey && this.#isBeforeValue(line, pos)) this.#keyAndValue(token.quotedScalar, line, pos);
    else this.#scalar(token.quotedScalar, line, pos);
  }

  #plain(): void {
    const mayBeKey = this.#isKeyAllowed;
    if (mayBeKey) this.#saveKey();
    const { line, pos } = this;
    this.#isKeyAllowed = scanPlainScalar(this, this.#indent + 1, this.#keys.level > 0);
    if (mayBeKey && this.#isBeforeValue(line, pos)) this.#keyAndValue(token.plainScalar, line, pos);
    else this.#scalar(token.plainScalar, line, pos);
  }

  /** Whether the scalar that began there is a key. */
  #isBeforeValue(line: number, start: number): boolean {
    if (this.codes[this.pos] !== code.colon || this.line !== line || this.pos - start > longestKey) return false;
    return this.#keys.level > 0 || this.#isAlone();
  }

  /** Emits key and value tokens at once. This is the most frequent case. */
  #keyAndValue(type: number, line: number, start: number): void {
    const column = this.#keys.column;
    if (this.#keys.level === 0 && this.#indent < column && this.#roll(column)) this.#push(token.blockMappingStart, line, start);
    this.#push(token.key, line, start);
    this.#scalar(type, line, start);
    this.#keys.take();
    this.#isKeyAllowed = false;
    this.#push(token.value, this.line, this.pos++);
  }

  #scalar(type: number, line: number, start: number): void {
    const at = this.#tail;
    this.#froms[at] = this.from;
    this.#tos[at] = this.to;
    this.#cooked[at] = this.cooked;
    this.#push(type, line, start);
  }

  #saveKey(): void {
    this.#keys.save(this.#nextNumber(), this.#keys.level === 0 && this.#indent === this.pos - this.lineStart);
  }

  #nextNumber(): number {
    return this.#parsed + this.#tail - this.#head;
  }
}
