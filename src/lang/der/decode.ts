/** The elements of a constructed value, each with its tag and length. Throws when the lengths do not fit. */
export function derChildren(bytes: Buffer): Buffer[] {
  const children: Buffer[] = [];
  const end = endOf(bytes, 0);
  for (let at = startOf(bytes, 0); at < end; at = endOf(bytes, at)) children.push(bytes.subarray(at, endOf(bytes, at)));
  return children;
}

/** The contents of the first tag-length-value. */
export function derContents(bytes: Buffer): Buffer {
  return bytes.subarray(startOf(bytes, 0), endOf(bytes, 0));
}

function startOf(bytes: Buffer, at: number): number {
  const length = bytes[at + 1] ?? 0;
  return at + 2 + (length < 0x80 ? 0 : length & 0x7f);
}

function endOf(bytes: Buffer, at: number): number {
  const first = bytes[at + 1] ?? 0;
  const width = first & 0x7f;
  if (first >= 0x80 && (width === 0 || width > 6)) throw new RangeError("the length of a value is not written as DER wants it");
  const end = startOf(bytes, at) + (first < 0x80 ? first : bytes.readUIntBE(at + 2, width));
  if (at + 1 >= bytes.length || end > bytes.length) throw new RangeError("a value is cut short");
  return end;
}
