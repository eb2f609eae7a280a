/** The character classes of C's `ctype.h` in the C locale. Bytes above 127 belong to none. */

const tests: Readonly<Record<string, (code: number) => boolean>> = {
  a: isLetter,
  c: (code) => code < 32 || code === 127,
  d: isDigit,
  l: (code) => code >= 97 && code <= 122,
  p: (code) => code > 32 && code < 127 && !isLetter(code) && !isDigit(code),
  s: (code) => code === 32 || (code >= 9 && code <= 13),
  u: (code) => code >= 65 && code <= 90,
  w: (code) => isLetter(code) || isDigit(code),
  x: (code) => isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102),
  z: (code) => code === 0,
};

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** One entry per class and byte, so that a match is one lookup: `table[letter * 256 + byte]`. */
const table = new Uint8Array(256 * 256);

for (let letter = 0; letter < 256; letter++) {
  const name = String.fromCharCode(letter);
  const test = tests[name.toLowerCase()];
  const isNegated = test !== undefined && name !== name.toLowerCase();
  for (let byte = 0; byte < 256; byte++) {
    const isIn = test === undefined ? byte === letter : test(byte) !== isNegated;
    table[letter * 256 + byte] = isIn ? 1 : 0;
  }
}

/** Whether a byte is in the class `%letter`. Any other letter stands for itself. */
export function isInClass(byte: number, letter: number): boolean {
  return table[letter * 256 + byte] === 1;
}

export function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function upper(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
