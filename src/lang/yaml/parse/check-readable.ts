import { YamlFault } from "../yaml-fault.ts";

const notSimple = /[^\t\n\x20-\x7E]/;
/** Whole characters, which take a slow engine to find, are looked at only where there are surrogates or refused ones. */
const suspicious = /[^\t\n\r\x20-\x7E\x85\xA0-\uD7FF\uE000-\uFFFD]/;
const refused = /[^\t\n\r\x20-\x7E\x85\xA0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
/** go-yaml reads chunks of this size, and rejects the text when it reaches the chunk with invalid input. */
const chunkSize = 512;

type ReadableText = {
  /** ASCII with line feeds only, the common case. */
  readonly isSimple: boolean;
  /** The part of the text that the parser sees. */
  readonly readable: string;
  /** The error after that part. */
  readonly flaw?: YamlFault;
};

/** Checks for characters that go-yaml's reader rejects. Models go.yaml.in/yaml/v2 readerc.go. */
export function checkReadable(text: string): ReadableText {
  if (!notSimple.test(text)) return { isSimple: true, readable: text };
  const found = suspicious.test(text) ? refused.exec(text) : null;
  if (found === null) return { isSimple: false, readable: text };
  const before = text.slice(0, found.index);
  const bytes = Buffer.from(before);
  const readable = bytes.subarray(0, bytes.length - (bytes.length % chunkSize)).toString();
  const problem = problemAt(text, found.index);
  return { isSimple: false, readable, flaw: new YamlFault(`yaml: ${problem}`, problem, before.split("\n").length) };
}

/** A lone surrogate U+DC80 to U+DCFF stands for an invalid UTF-8 byte. */
function problemAt(text: string, index: number): string {
  const first = byteAt(text, index);
  if (first === undefined) return "control characters are not allowed";
  const width = (first & 0xe0) === 0xc0 ? 2 : (first & 0xf0) === 0xe0 ? 3 : (first & 0xf8) === 0xf0 ? 4 : 0;
  if (width === 0) return "invalid leading UTF-8 octet";
  if (Buffer.byteLength(text.slice(index + 1)) < width - 1) return "incomplete UTF-8 octet sequence";
  for (let next = 1; next < width; next++) if (((byteAt(text, index + next) ?? 0) & 0xc0) !== 0x80) return "invalid trailing UTF-8 octet";
  return first < 0xc2 || first === 0xe0 || first === 0xf0 ? "invalid length of a UTF-8 sequence" : "invalid Unicode character";
}

function byteAt(text: string, index: number): number | undefined {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc80 && unit <= 0xdcff ? unit - 0xdc00 : undefined;
}
