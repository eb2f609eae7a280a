/**
 * Orders keys as go-yaml v2 does: digits by the number they make up (`a2` before `a10`), letters after everything else,
 * and the rest by code point. Models go.yaml.in/yaml/v2 sorter.go.
 */
export function compareKeys(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) if (left[at] !== right[at]) return compareFrom(left, right, at);
  return left.length - right.length;
}

function compareFrom(left: readonly string[], right: readonly string[], at: number): number {
  const [a, b] = [left[at]!, right[at]!];
  const [letterA, letterB] = [isLetter(a), isLetter(b)];
  if (letterA !== letterB) return letterB ? -1 : 1;
  if (letterA) return byCodePoint(a, b);
  const seed = (a === "0" || b === "0") && followsNumber(left, at) ? "1" : "0";
  const [digitsA, digitsB] = [digitsAt(left, at), digitsAt(right, at)];
  const [numberA, numberB] = [BigInt(seed + digitsA), BigInt(seed + digitsB)];
  if (numberA !== numberB) return numberA < numberB ? -1 : 1;
  return digitsA.length - digitsB.length || byCodePoint(a, b);
}

/** A zero inside of a number counts as one of its digits; a zero that leads it does not. */
function followsNumber(text: readonly string[], at: number): boolean {
  for (let before = at - 1; before >= 0 && isDigit(text[before]!); before--) if (text[before] !== "0") return true;
  return false;
}

function digitsAt(text: readonly string[], from: number): string {
  let end = from;
  while (end < text.length && isDigit(text[end]!)) end++;
  return text.slice(from, end).join("");
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}

function isLetter(character: string): boolean {
  return /^\p{L}$/u.test(character);
}

function byCodePoint(a: string, b: string): number {
  return a.codePointAt(0)! - b.codePointAt(0)!;
}
