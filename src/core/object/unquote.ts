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

function unescaped(escape: string, quote: string): string | undefined {
  if (escape === quote) return quote;
  if (/^[0-7]{3}$/.test(escape)) return String.fromCharCode(Number.parseInt(escape, 8));
  if (escape.length === 1) return short[escape];
  const code = Number.parseInt(escape.slice(1), 16);
  return code > 0x10ffff ? undefined : String.fromCodePoint(code);
}
