/** What a pattern compiles to, about: instructions, and groups that keep what they matched. */
type ProgramSize = { readonly instructions: number; readonly groups: number };

/** A class of Unicode is one instruction that takes as long to make as several. */
const unicodeClass = 4;
const counted = /\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/y;
const opening = /\(\?(?:P?<[^>]*>|[a-zA-Z-]*([:)]))?/y;
const classItem = /\[:\^?[a-z]+:\]|\\(?:[pP](?:\{[^}]*\}|.)?|x\{[^}]*\}|.?)|[^]/uy;

type Frame = { total: number; last: number; readonly isKept: boolean };

/**
 * Estimates the size of a program from its pattern, without compiling it, which takes microseconds and hundreds of bytes for each
 * instruction. A pattern that is wrong has a size as well.
 */
export function programSizeOf(pattern: string): ProgramSize {
  const frames: Frame[] = [{ total: 0, last: 0, isKept: false }];
  let groups = 0;
  for (let at = 0; at < pattern.length;) {
    const frame = frames.at(-1) ?? { total: 0, last: 0, isKept: false };
    const char = pattern[at];
    if (char === "(") {
      const [end, kind] = openedAt(pattern, at);
      if (kind === "flags") add(frame, 0);
      else frames.push({ total: 0, last: 0, isKept: kind === "kept" });
      if (kind === "kept") groups += 1;
      at = end;
    } else if (char === ")") {
      if (frames.length > 1) frames.pop();
      add(frames.at(-1) ?? frame, frame.total + frame.last + (frame.isKept ? 2 : 0));
      at += 1;
    } else if (char === "*" || char === "+" || char === "?") {
      frame.last += 1;
      at += 1;
    } else if (char === "{") at = repeatedAt(pattern, at, frame);
    else {
      const [end, size] = char === "[" ? classAt(pattern, at) : char === "\\" ? escapeAt(pattern, at) : [at + 1, 1];
      add(frame, size);
      at = end;
    }
  }
  return { instructions: frames.reduce((sum, { total, last }) => sum + total + last, 2), groups };
}

function add(frame: Frame, size: number): void {
  frame.total += frame.last;
  frame.last = size;
}

function openedAt(pattern: string, at: number): readonly [end: number, kind: "kept" | "plain" | "flags"] {
  opening.lastIndex = at;
  const found = opening.exec(pattern);
  if (found === null) return [at + 1, "kept"];
  const [text, last] = found;
  if (last === ")") return [at + text.length, "flags"];
  return [at + text.length, last === ":" ? "plain" : "kept"];
}

/** Multiplies what is repeated. Braces that count nothing are characters. */
function repeatedAt(pattern: string, at: number, frame: Frame): number {
  counted.lastIndex = at;
  const found = counted.exec(pattern);
  if (found === null) {
    add(frame, 1);
    return at + 1;
  }
  const [text, least = "0", comma, most] = found;
  const copies = Math.max(Number(most ?? least), comma === undefined || most !== undefined ? 1 : Number(least) + 1);
  // What may be left out takes an instruction more.
  frame.last = frame.last * copies + (comma === undefined ? 0 : Math.max(Number(most ?? 1) - Number(least), 1));
  return at + text.length;
}

function escapeAt(pattern: string, at: number): readonly [end: number, size: number] {
  if (pattern[at + 1] === "Q") {
    const end = pattern.indexOf("\\E", at + 2);
    const literal = (end < 0 ? pattern.length : end) - at - 2;
    return [end < 0 ? pattern.length : end + 2, literal];
  }
  classItem.lastIndex = at;
  const [text = "\\"] = classItem.exec(pattern) ?? [];
  return [at + text.length, /^\\[pP]/.test(text) ? unicodeClass : 1];
}

function classAt(pattern: string, start: number): readonly [end: number, size: number] {
  let size = 1;
  let at = start + (pattern[start + 1] === "^" ? 2 : 1);
  const first = at;
  while (at < pattern.length && (pattern[at] !== "]" || at === first)) {
    classItem.lastIndex = at;
    const [text = "x"] = classItem.exec(pattern) ?? [];
    if (/^\\[pP]/.test(text)) size += unicodeClass;
    at += text.length;
  }
  // A class of many characters is sorted, and searched at each character of a text.
  return [at + 1, size + ((at - first) >> 5)];
}
