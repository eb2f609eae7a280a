import { machine, outOfFuel, raise, spend } from "../run/machine.ts";
import type { LuaValue } from "../run/value.ts";
import { isInClass } from "./character.ts";

const mostCaptures = 32;
const open = -1;
const position = -2;
/** The recursion limit of a match, which uses the JavaScript stack. */
const deepest = 2000;

const [dollar, percent, openParenthesis, closeParenthesis, star, plus, minus, questionMark] = [36, 37, 40, 41, 42, 43, 45, 63];

type Capture = { start: number; length: number };

/** One match of a pattern against a text. Positions count from 0. */
export class PatternMatch {
  readonly text: string;
  readonly pattern: string;
  captures: Capture[] = [];
  #depth = 0;

  constructor(text: string, pattern: string) {
    this.text = text;
    this.pattern = pattern;
  }

  /** The end of the match that begins at `start`; negative if there is none. */
  at(start: number, patternStart: number): number {
    this.captures = [];
    this.#depth = 0;
    return this.#match(start, patternStart);
  }

  /** The captures, or the whole match if the pattern has none. */
  values(start: number, end: number): LuaValue[] {
    if (this.captures.length === 0) return [this.text.slice(start, end)];
    return this.captures.map((_, index) => this.value(index, start, end));
  }

  value(index: number, start: number, end: number): LuaValue {
    const capture = this.captures[index];
    if (capture === undefined) return index === 0 ? this.text.slice(start, end) : raise("invalid capture index");
    if (capture.length === open) raise("unfinished capture");
    if (capture.length === position) return capture.start + 1;
    return this.text.slice(capture.start, capture.start + capture.length);
  }

  #match(from: number, patternFrom: number): number {
    this.#depth += 1;
    if (this.#depth > deepest) raise("pattern too complex");
    const end = this.#run(from, patternFrom);
    this.#depth -= 1;
    return end;
  }

  #run(from: number, patternFrom: number): number {
    const { pattern, text } = this;
    let s = from;
    let p = patternFrom;
    for (;;) {
      machine.fuel -= 1;
      if (machine.fuel < 0) outOfFuel();
      if (p === pattern.length) return s;
      const code = pattern.charCodeAt(p);
      if (code === openParenthesis) return this.#openCapture(s, p + 1);
      if (code === closeParenthesis) return this.#closeCapture(s, p + 1);
      if (code === dollar && p + 1 === pattern.length) return s === text.length ? s : -1;
      if (code === percent && isLetterOfItem(pattern.charCodeAt(p + 1))) {
        [s, p] = this.#item(s, p + 1);
        if (s < 0) return -1;
        continue;
      }
      const end = this.#classEnd(p);
      const matches = s < text.length && this.#single(text.charCodeAt(s), p, end);
      switch (pattern.charCodeAt(end)) {
        case questionMark: {
          const rest = matches ? this.#match(s + 1, end + 1) : -1;
          if (rest >= 0) return rest;
          p = end + 1;
          break;
        }
        case star:
          return this.#most(s, p, end);
        case plus:
          return matches ? this.#most(s + 1, p, end) : -1;
        case minus:
          return this.#least(s, p, end);
        default:
          if (!matches) return -1;
          s += 1;
          p = end;
      }
    }
  }

  /** Matches `%b`, `%f` and `%1`. Returns the next positions in text and pattern; the first is negative on failure. */
  #item(s: number, p: number): [text: number, pattern: number] {
    switch (this.pattern[p]) {
      case "b":
        return [this.#balance(s, p + 1), p + 3];
      case "f": {
        const end = this.#frontier(s, p + 1);
        return [end < 0 ? -1 : s, end];
      }
      default:
        return [this.#backReference(s, this.pattern.charCodeAt(p)), p + 1];
    }
  }

  #classEnd(start: number): number {
    const { pattern } = this;
    const char = pattern[start];
    let p = start + 1;
    if (char === "%") {
      if (p >= pattern.length) raise("malformed pattern (ends with '%')");
      return p + 1;
    }
    if (char !== "[") return p;
    if (pattern[p] === "^") p += 1;
    // A leading `]` is a literal.
    do {
      if (p >= pattern.length) raise("malformed pattern (missing ']')");
      const isEscape = pattern[p] === "%" && p + 1 < pattern.length;
      p += isEscape ? 2 : 1;
    } while (pattern[p] !== "]" || p >= pattern.length);
    spend((p - start) >> 2);
    return p + 1;
  }

  #single(code: number, p: number, end: number): boolean {
    const { pattern } = this;
    switch (pattern[p]) {
      case ".":
        return true;
      case "%":
        return isInClass(code, pattern.charCodeAt(p + 1));
      case "[":
        return this.#inSet(code, p, end - 1);
      default:
        return pattern.charCodeAt(p) === code;
    }
  }

  #inSet(code: number, start: number, close: number): boolean {
    const { pattern } = this;
    let p = start + 1;
    // A set is looked through for every character.
    spend((close - start) >> 2);
    const negated = pattern[p] === "^";
    if (negated) p += 1;
    for (; p < close; p++) {
      const current = pattern.charCodeAt(p);
      if (current === percent) {
        p += 1;
        if (isInClass(code, pattern.charCodeAt(p))) return !negated;
      } else if (pattern[p + 1] === "-" && p + 2 < close) {
        if (current <= code && code <= pattern.charCodeAt(p + 2)) return !negated;
        p += 2;
      } else if (current === code) return !negated;
    }
    return negated;
  }

  #most(s: number, p: number, end: number): number {
    const { text } = this;
    let count = 0;
    while (s + count < text.length && this.#single(text.charCodeAt(s + count), p, end)) count += 1;
    machine.fuel -= count >> 3;
    for (; count >= 0; count--) {
      const rest = this.#match(s + count, end + 1);
      if (rest >= 0) return rest;
    }
    return -1;
  }

  #least(start: number, p: number, end: number): number {
    const { text } = this;
    for (let s = start; ; s++) {
      const rest = this.#match(s, end + 1);
      if (rest >= 0) return rest;
      if (s >= text.length || !this.#single(text.charCodeAt(s), p, end)) return -1;
    }
  }

  #openCapture(s: number, p: number): number {
    if (this.captures.length >= mostCaptures) raise("too many captures");
    const isPosition = this.pattern.charCodeAt(p) === closeParenthesis;
    this.captures.push({ start: s, length: isPosition ? position : open });
    const end = this.#match(s, isPosition ? p + 1 : p);
    if (end < 0) this.captures.pop();
    return end;
  }

  #closeCapture(s: number, p: number): number {
    const capture = this.captures.findLast(({ length }) => length === open);
    if (capture === undefined) return raise("invalid pattern capture");
    capture.length = s - capture.start;
    const end = this.#match(s, p);
    if (end < 0) capture.length = open;
    return end;
  }

  #balance(s: number, p: number): number {
    const { text, pattern } = this;
    if (p + 1 >= pattern.length) raise("unbalanced pattern");
    const [opening, closing] = [pattern.charCodeAt(p), pattern.charCodeAt(p + 1)];
    if (text.charCodeAt(s) !== opening) return -1;
    let depth = 1;
    for (let index = s + 1; index < text.length; index++) {
      machine.fuel -= 1;
      const code = text.charCodeAt(index);
      if (code === closing) {
        depth -= 1;
        if (depth === 0) return index + 1;
      } else if (code === opening) depth += 1;
    }
    return -1;
  }

  #frontier(s: number, p: number): number {
    const { text, pattern } = this;
    if (pattern[p] !== "[") raise("missing '[' after '%f' in pattern");
    const end = this.#classEnd(p);
    const before = s === 0 ? 0 : text.charCodeAt(s - 1);
    const after = s < text.length ? text.charCodeAt(s) : 0;
    return !this.#inSet(before, p, end - 1) && this.#inSet(after, p, end - 1) ? end : -1;
  }

  #backReference(s: number, digit: number): number {
    const capture = this.captures[digit - 49];
    if (capture === undefined || capture.length === open) return raise("invalid capture index");
    if (capture.length === position) return -1;
    const captured = this.text.slice(capture.start, capture.start + capture.length);
    machine.fuel -= captured.length >> 3;
    return this.text.startsWith(captured, s) ? s + captured.length : -1;
  }
}

function isLetterOfItem(code: number): boolean {
  return code === 98 || code === 102 || (code >= 48 && code <= 57);
}
