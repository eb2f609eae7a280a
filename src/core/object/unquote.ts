const short: Readonly<Record<string, string>> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "\\": "\\" };

/** Unquotes a string in single or double quotes with Go's escapes. Undefined when it is invalid. */
export function unquote(source: string): string | undefined {
  const quote = source[0];
  const inside = source.slice(1, -1);
  if (source.length < 2 || quote !== source.at(-1)) return undefined;
  let out = "";
  let at = 0;
  while (at < inside.length) {
    const [piece, escape] = /^\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{3}|[^])|^[^]/u.exec(inside.slice(at)) ?? [""];
    const value = escape === undefined ? piece : unescaped(escape, quote!);
    if (value === undefined || piece === quote || piece === "\\") return undefined;
    out += value;
    at += piece.length;
  }
  return out;
}

// Models UnquoteChar of Go's strconv: a byte is at most \xff, and half of a surrogate pair is no character.
function unescaped(escape: string, quote: string): string | undefined {
  if (escape === quote) return quote;
  const [, octal, hex] = /^(?:([0-7]{3})|[xuU]([\da-fA-F]{2,8}))$/.exec(escape) ?? [];
  if (octal !== undefined) return characterOf(Number.parseInt(octal, 8), 0xff);
  return hex === undefined ? short[escape] : characterOf(Number.parseInt(hex, 16), 0x10ffff);
}

function characterOf(code: number, largest: number): string | undefined {
  return code > largest || (code >= 0xd800 && code <= 0xdfff) ? undefined : String.fromCodePoint(code);
}
