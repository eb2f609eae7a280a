const most = 2n ** 63n;

/** Models strconv.ParseInt with 64 bits. Base 0 accepts prefixes and underscores. Undefined on error. */
export function parseInt64(text: string, base: 0 | 8 | 10): bigint | undefined {
  const sign = /^[+-]?/.exec(text)![0];
  const size = base === 0 ? prefixed(text.slice(sign.length)) : digits(text.slice(sign.length), base);
  if (size === undefined || size > (sign === "-" ? most : most - 1n)) return undefined;
  return sign === "-" ? -size : size;
}

/** Like parseInt64, but clamps numbers out of range, as Go returns them beside the error. */
export function parseInt64Clamped(text: string): bigint | undefined {
  const found = parseInt64(text, 10);
  if (found !== undefined || !/^[+-]?\d+$/.test(text)) return found;
  return text.startsWith("-") ? -most : most - 1n;
}

function prefixed(text: string): bigint | undefined {
  const base = /^0[xX]/.test(text) ? 16 : /^0[oO]/.test(text) ? 8 : /^0[bB]/.test(text) ? 2 : undefined;
  const octal = base === undefined && /^0./.test(text);
  const body = base === undefined ? (octal ? text.slice(1) : text) : text.slice(2);
  // An underscore may separate digits or follow the prefix.
  if (body.includes("_") && !/^_?[0-9A-Fa-f]+(_[0-9A-Fa-f]+)*$/.test(base === undefined ? `x${text}`.slice(1) : body)) return undefined;
  if (base === undefined && text.startsWith("_")) return undefined;
  return digits(body.replaceAll("_", ""), base ?? (octal ? 8 : 10));
}

const prefixes = { 2: "0b", 8: "0o", 10: "", 16: "0x" };
const valid = { 2: /^[01]+$/, 8: /^[0-7]+$/, 10: /^[0-9]+$/, 16: /^[0-9A-Fa-f]+$/ };

function digits(text: string, base: 2 | 8 | 10 | 16): bigint | undefined {
  return valid[base].test(text) ? BigInt(prefixes[base] + text) : undefined;
}

/** Models strconv.ParseFloat. Undefined on error, which includes overflow. */
export function parseFloat64(text: string): number | undefined {
  const special = /^[+-]?(inf|infinity)$|^nan$/i.exec(text);
  if (special !== null) return /nan/i.test(text) ? Number.NaN : text.startsWith("-") ? -Infinity : Infinity;
  const value = /^[+-]?0[xX]/.test(text) ? hexFloat(text) : decimalFloat(text);
  return value === undefined || !Number.isFinite(value) ? undefined : value;
}

function decimalFloat(text: string): number | undefined {
  const plain = text.replaceAll(/(?<=\d)_(?=\d)/g, "");
  return /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(plain) ? Number(plain) : undefined;
}

function hexFloat(text: string): number | undefined {
  const found = /^([+-]?)0[xX]([0-9A-Fa-f_]*)(?:\.([0-9A-Fa-f_]*))?[pP]([+-]?\d+)$/.exec(text);
  if (found === null) return undefined;
  const [, sign, whole = "", fraction = "", exponent] = found;
  if (
    `${whole}${fraction}`.includes("_") &&
    !/^_?[0-9A-Fa-f]+(_[0-9A-Fa-f]+)*(\.[0-9A-Fa-f]+(_[0-9A-Fa-f]+)*)?$/.test(`${whole}${fraction === "" ? "" : `.${fraction}`}`)
  )
    return undefined;
  const all = (whole + fraction).replaceAll("_", "");
  if (all === "") return undefined;
  const size = Number(BigInt(`0x${all}`)) * 2 ** (Number(exponent) - 4 * fraction.replaceAll("_", "").length);
  return sign === "-" ? -size : size;
}
