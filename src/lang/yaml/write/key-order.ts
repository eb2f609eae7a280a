const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;

/**
 * Compares keys as go-yaml does: digits by their number (`a2` before `a10`), letters after everything else, the rest by code
 * point. In version 3 a digit may sort after a letter if digits precede it. Models sorter.go of go.yaml.in/yaml/v2 and v3.
 */
export function compareKeys(a: string, b: string, isThird = false): number {
  const shared = Math.min(a.length, b.length);
  let at = 0;
  while (at < shared && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === shared) return a.length - b.length;
  const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
  if (isAsciiLetter(left) && isAsciiLetter(right)) return left - right;
  return compareFrom([...a], [...b], isThird);
}

function compareFrom(left: readonly string[], right: readonly string[], isThird: boolean): number {
  let at = 0;
  while (left[at] === right[at]) at++;
  const [a, b] = [left[at], right[at]];
  if (a === undefined || b === undefined) return left.length - right.length;
  const [letterA, letterB] = [letter.test(a), letter.test(b)];
  if (letterA && letterB) return byCodePoint(a, b);
  if (letterA || letterB) {
    const comesFirst = isThird && at > 0 && digit.test(left[at - 1]!) ? letterA : letterB;
    return comesFirst ? -1 : 1;
  }
  return compareNumbers(left, right, at) || byCodePoint(a, b);
}

function compareNumbers(left: readonly string[], right: readonly string[], at: number): number {
  const seed = (left[at] === "0" || right[at] === "0") && followsNumber(left, at) ? 1n : 0n;
  const [a, b] = [numberFrom(left, at, seed), numberFrom(right, at, seed)];
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  return a.end - b.end;
}

/** Whether a zero is inside a number rather than leading it. */
function followsNumber(text: readonly string[], at: number): boolean {
  for (let before = at - 1; before >= 0 && digit.test(text[before]!); before--) if (text[before] !== "0") return true;
  return false;
}

/** Wraps around at 64 bits, as in Go. */
function numberFrom(text: readonly string[], from: number, seed: bigint): { value: bigint; end: number } {
  let value = seed;
  let end = from;
  for (; end < text.length && digit.test(text[end]!); end++)
    value = BigInt.asIntN(64, value * 10n + BigInt(text[end]!.codePointAt(0)! - 0x30));
  return { value, end };
}

function isAsciiLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function byCodePoint(a: string, b: string): number {
  return a.codePointAt(0)! - b.codePointAt(0)!;
}
