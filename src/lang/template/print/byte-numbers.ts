/** The decimal digits of every byte and a space, four bytes each, and their lengths. */
const digits = Buffer.alloc(1024);
const lengths = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) lengths[byte] = digits.write(`${byte} `, byte * 4, "latin1");

const known = new WeakMap<Uint8Array, string>();

/** Formats bytes as `[104 105]`. Cached, because charts print whole files this way repeatedly. Templates cannot change the bytes. */
export function byteNumbers(bytes: Uint8Array): string {
  const before = known.get(bytes);
  if (before !== undefined) return before;
  const numbers = written(bytes);
  known.set(bytes, numbers);
  return numbers;
}

function written(bytes: Uint8Array): string {
  if (bytes.length === 0) return "[]";
  const text = Buffer.allocUnsafe(bytes.length * 4 + 1);
  text[0] = 0x5b;
  let at = 1;
  for (const byte of bytes) {
    const from = byte * 4;
    const length = lengths[byte]!;
    for (let place = 0; place < length; place++) text[at++] = digits[from + place]!;
  }
  // The bracket replaces the last space.
  text[at - 1] = 0x5d;
  return text.toString("latin1", 0, at);
}
