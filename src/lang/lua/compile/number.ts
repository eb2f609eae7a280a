const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const hexadecimal = /^([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?(?:[pP]([+-]?\d+))?$/;
const special = /^([+-]?)(?:(inf(?:inity)?)|nan(?:\(\w*\))?)$/i;

/** Parses a number as C's strtod does, surrounded by blanks or not; undefined when it is none. */
export function parseNumber(text: string): number | undefined {
  const bare = withoutBlanks(text);
  if (decimal.test(bare)) return Number(bare);
  return parseHexadecimal(bare) ?? parseSpecial(bare);
}

function withoutBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function parseHexadecimal(text: string): number | undefined {
  const [match, sign, whole = "", fraction = "", exponent = "0"] = hexadecimal.exec(text) ?? [];
  if (match === undefined || whole.length + fraction.length === 0) return undefined;
  const mantissa = Number(BigInt(`0x${whole}${fraction}`));
  const value = mantissa * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign === "-" ? -value : value;
}

function parseSpecial(text: string): number | undefined {
  const [match, sign, infinite] = special.exec(text) ?? [];
  if (match === undefined) return undefined;
  if (infinite === undefined) return Number.NaN;
  return sign === "-" ? -Infinity : Infinity;
}
