const simpleEscapes: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

const escapes = /\\(?:([xX])([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7][0-7])|([^]))/g;

/** The text between the quotes of a literal, and whether it is raw. */
function contentOf(literal: string): { readonly text: string; readonly isRaw: boolean } {
  const normal = literal.replaceAll(/\r\n?/g, "\n");
  const isRaw = /^[rR]/.test(normal);
  const rest = isRaw ? normal.slice(1) : normal;
  const width = rest.length >= 6 && (rest.startsWith('"""') || rest.startsWith("'''")) ? 3 : 1;
  return { text: rest.slice(width, -width), isRaw };
}

/** Parses a string literal; undefined when an escape is not a valid code point. */
export function parseStringLiteral(literal: string): string | undefined {
  const { text, isRaw } = contentOf(literal);
  if (isRaw || !text.includes("\\")) return text;
  let isValid = true;
  const unescaped = text.replaceAll(escapes, (_, _x?: string, hex?: string, u4?: string, u8?: string, octal?: string, simple = "") => {
    const digits = hex ?? u4 ?? u8;
    if (digits === undefined && octal === undefined) return simpleEscapes[simple] ?? simple;
    const code = digits === undefined ? Number.parseInt(octal ?? "", 8) : Number.parseInt(digits, 16);
    if (code > 0x10_ffff || (code >= 0xd800 && code <= 0xdfff)) isValid = false;
    return isValid ? String.fromCodePoint(code) : "";
  });
  return isValid ? unescaped : undefined;
}

/** Parses a bytes literal without its `b`; undefined when it has a Unicode escape. */
export function parseBytesLiteral(literal: string): Uint8Array | undefined {
  const { text, isRaw } = contentOf(literal);
  const encoder = new TextEncoder();
  if (isRaw) return encoder.encode(text);
  const bytes: number[] = [];
  let from = 0;
  for (const found of text.matchAll(escapes)) {
    const [whole, , hex, u4, u8, octal, simple = ""] = found;
    if (u4 !== undefined || u8 !== undefined) return undefined;
    bytes.push(...encoder.encode(text.slice(from, found.index)));
    if (hex !== undefined) bytes.push(Number.parseInt(hex, 16));
    else if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...encoder.encode(simpleEscapes[simple] ?? simple));
    from = found.index + whole.length;
  }
  bytes.push(...encoder.encode(text.slice(from)));
  return Uint8Array.from(bytes);
}

export const maxInt = 2n ** 63n - 1n;
export const minInt = -(2n ** 63n);
export const maxUint = 2n ** 64n - 1n;

/** Undefined when the number exceeds 64 bits. */
export function parseIntLiteral(text: string, isNegative: boolean): bigint | undefined {
  const value = isNegative ? -BigInt(text) : BigInt(text);
  return value > maxInt || value < minInt ? undefined : value;
}

export function parseUintLiteral(text: string): bigint | undefined {
  const value = BigInt(text.slice(0, -1));
  return value > maxUint ? undefined : value;
}
