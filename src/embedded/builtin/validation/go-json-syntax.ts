// Models encoding/json/scanner.go: the position and message of syntax errors

type Scan = { readonly text: string; at: number };

const endOfInput = "unexpected end of JSON input";
const isSpace = (char: string | undefined): boolean => char === " " || char === "\t" || char === "\r" || char === "\n";
const isDigit = (char: string | undefined): boolean => char !== undefined && char >= "0" && char <= "9";

/** How deep Go reads lists and objects within each other. Models encoding/json maxNestingDepth */
const maxDepth = 10_000;

/** Why a text is not JSON, or undefined when it is. */
export function jsonSyntaxProblem(text: string): string | undefined {
  const scan: Scan = { text, at: 0 };
  /** What closes the lists and objects that are open. */
  const open: string[] = [];
  for (;;) {
    const problem = valueOrOpening(scan, open);
    if (problem === opened) continue;
    const after = problem ?? closings(scan, open);
    if (after !== opened) return after;
  }
}

/** Whether a text has more lists and objects within each other than Go reads. It may be no JSON. */
export function exceedsDepth(text: string): boolean {
  if (text.length <= maxDepth) return false;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) isInString = !isInString;
    else if (isInString) at += code === 0x5c ? 1 : 0;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

/** Another value is to come. */
const opened = Symbol("opened");

/** Reads a value, or the opening of one that has content. */
function valueOrOpening(scan: Scan, open: string[]): string | typeof opened | undefined {
  skipSpace(scan);
  const char = scan.text[scan.at];
  if (char !== "{" && char !== "[") return scalar(scan);
  if (open.length === maxDepth) return unexpected(scan, "exceeded max depth");
  const end = char === "{" ? "}" : "]";
  open.push(end);
  scan.at += 1;
  skipSpace(scan);
  if (scan.text[scan.at] === end) return undefined;
  return (char === "{" ? key(scan) : undefined) ?? opened;
}

/** Reads what follows a value: the ends of what is open, and the beginning of the next value. */
function closings(scan: Scan, open: string[]): string | typeof opened | undefined {
  for (let end = open.at(-1); end !== undefined; end = open.at(-1)) {
    skipSpace(scan);
    const char = scan.text[scan.at];
    if (char !== "," && char !== end) return unexpected(scan, end === "}" ? "after object key:value pair" : "after array element");
    scan.at += 1;
    if (char === ",") return (end === "}" ? key(scan) : undefined) ?? opened;
    open.pop();
  }
  return rest(scan);
}

function rest(scan: Scan): string | undefined {
  skipSpace(scan);
  return scan.at < scan.text.length ? unexpected(scan, "after top-level value") : undefined;
}

function skipSpace(scan: Scan): void {
  while (isSpace(scan.text[scan.at])) scan.at += 1;
}

function unexpected(scan: Scan, context: string): string {
  const char = scan.text.slice(scan.at)[Symbol.iterator]().next().value;
  if (char === undefined) return endOfInput;
  // Go looks at bytes.
  const shown = char < "\u0080" ? char : String.fromCodePoint(Buffer.from(char)[0] ?? 0);
  return `invalid character ${quoted(shown)} ${context}`;
}

function quoted(char: string): string {
  if (char === "'") return String.raw`'\''`;
  if (char === '"') return `'"'`;
  const code = char.codePointAt(0) ?? 0;
  const short: Readonly<Record<string, string>> = {
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\b": "\\b",
    "\f": "\\f",
    "\v": "\\v",
    "\\": "\\\\",
    "\u0007": "\\a",
  };
  return `'${short[char] ?? (code < 32 || code === 127 ? `\\x${code.toString(16).padStart(2, "0")}` : char)}'`;
}

function scalar(scan: Scan): string | undefined {
  const char = scan.text[scan.at];
  if (char === '"') return string(scan);
  if (char === "-" || isDigit(char)) return number(scan);
  const literal = ["true", "false", "null"].find((word) => word[0] === char);
  return literal === undefined ? unexpected(scan, "looking for beginning of value") : word(scan, literal);
}

/** A key of an object and the colon after it. */
function key(scan: Scan): string | undefined {
  skipSpace(scan);
  if (scan.text[scan.at] !== '"') return unexpected(scan, "looking for beginning of object key string");
  const problem = string(scan);
  if (problem !== undefined) return problem;
  skipSpace(scan);
  if (scan.text[scan.at] !== ":") return unexpected(scan, "after object key");
  scan.at += 1;
  return undefined;
}

function string(scan: Scan): string | undefined {
  for (scan.at += 1; ; scan.at += 1) {
    const char = scan.text[scan.at];
    if (char === '"') {
      scan.at += 1;
      return undefined;
    }
    if (char === undefined) return endOfInput;
    if (char < " ") return unexpected(scan, "in string literal");
    const problem = char === "\\" ? escape(scan) : undefined;
    if (problem !== undefined) return problem;
  }
}

function escape(scan: Scan): string | undefined {
  scan.at += 1;
  const char = scan.text[scan.at];
  if (char === undefined || !'"\\/bfnrtu'.includes(char)) return unexpected(scan, "in string escape code");
  for (let digit = char === "u" ? 0 : 4; digit < 4; digit += 1) {
    scan.at += 1;
    if (!/[0-9a-fA-F]/.test(scan.text[scan.at] ?? "")) return unexpected(scan, "in \\u hexadecimal character escape");
  }
  return undefined;
}

/** A truncated number is reported with the blank that Go appends to its input. */
function number(scan: Scan): string | undefined {
  if (scan.text[scan.at] === "-") scan.at += 1;
  if (!isDigit(scan.text[scan.at])) return short(scan, "in numeric literal");
  if (scan.text[scan.at] === "0") scan.at += 1;
  else skipDigits(scan);
  if (scan.text[scan.at] === ".") {
    scan.at += 1;
    if (!isDigit(scan.text[scan.at])) return short(scan, "after decimal point in numeric literal");
    skipDigits(scan);
  }
  if (scan.text[scan.at] !== "e" && scan.text[scan.at] !== "E") return undefined;
  scan.at += 1;
  if (scan.text[scan.at] === "+" || scan.text[scan.at] === "-") scan.at += 1;
  if (!isDigit(scan.text[scan.at])) return short(scan, "in exponent of numeric literal");
  skipDigits(scan);
  return undefined;
}

function skipDigits(scan: Scan): void {
  while (isDigit(scan.text[scan.at])) scan.at += 1;
}

function short(scan: Scan, context: string): string {
  return scan.at < scan.text.length ? unexpected(scan, context) : `invalid character ' ' ${context}`;
}

function word(scan: Scan, literal: string): string | undefined {
  for (const expected of literal) {
    const char = scan.text[scan.at];
    if (char === undefined) return `invalid character ' ' in literal ${literal} (expecting ${quoted(expected)})`;
    if (char !== expected) return unexpected(scan, `in literal ${literal} (expecting ${quoted(expected)})`);
    scan.at += 1;
  }
  return undefined;
}
