import { fromBytes, toBytes, quote as quoteText } from "../../template/index.ts";

/** A component of a URL. Each allows other characters unescaped. */
type UrlPart = "path" | "host" | "zone" | "user" | "fragment";

const everywhere = /[A-Za-z0-9\-_.~]/;
const itself: Readonly<Record<UrlPart, RegExp>> = {
  path: /[$&+,/:;=@]/,
  host: /[!$&'()*+,;=:[\]<>"]/,
  zone: /[!$&'()*+,;=:[\]<>"]/,
  user: /[$&+,;=]/,
  fragment: /[$&+,/:;=?@!()*]/,
};

function standsForItself(byte: number, part: UrlPart): boolean {
  const character = String.fromCharCode(byte);
  return byte < 0x80 && (everywhere.test(character) || itself[part].test(character));
}

/** Percent-encodes the characters that the component does not allow. */
export function escapeUrl(text: string, part: UrlPart): string {
  let out = "";
  for (const byte of toBytes(text)) {
    out += standsForItself(byte, part) ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return out;
}

/** Decodes percent escapes. Throws with Go's message. */
export function unescapeUrl(text: string, part: UrlPart): string {
  const source = toBytes(text);
  const out: number[] = [];
  for (let at = 0; at < source.length; at++) {
    const byte = source[at]!;
    if (byte === 0x25) {
      out.push(escapedByte(fromBytes(source.subarray(at, at + 3)), part));
      at += 2;
    } else {
      if ((part === "host" || part === "zone") && byte < 0x80 && !standsForItself(byte, part))
        throw new Error(`invalid character ${quoteText(String.fromCharCode(byte))} in host name`);
      out.push(byte);
    }
  }
  return fromBytes(Uint8Array.from(out));
}

function escapedByte(escape: string, part: UrlPart): number {
  const value = /^%[0-9A-Fa-f]{2}$/.test(escape) ? Number.parseInt(escape.slice(1), 16) : undefined;
  // A host allows escapes of non-ASCII bytes only; a zone also those of characters that a host does not allow.
  const allowed =
    value !== undefined &&
    (part === "host"
      ? value >= 0x80 || escape === "%25"
      : part !== "zone" || escape === "%25" || value === 0x20 || value >= 0x80 || !standsForItself(value, "host"));
  if (!allowed) throw new Error(`invalid URL escape ${quoteText(escape)}`);
  return value;
}
