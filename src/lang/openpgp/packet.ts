/** One packet: its type and its content. RFC 9580, 4.2 */
export type Packet = { readonly tag: number; readonly body: Buffer };

/** What is wrong with an OpenPGP text, in words for people. */
export class OpenPgpError extends Error {
  override readonly name = "OpenPgpError";
}

/** Reads bytes from the front, and refuses to read past the end. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** Everything that was read so far. */
  get consumed(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  take(count: number): Buffer {
    if (count > this.left) throw new OpenPgpError("it ends in the middle of a packet");
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  number(bytes: 1 | 2 | 4): number {
    return this.take(bytes).readUIntBE(0, bytes);
  }

  /** A multiprecision integer, without its length. */
  integer(): Buffer {
    return this.take(Math.ceil(this.number(2) / 8));
  }
}

/** The packets of a binary message. Partial lengths, which only data may have, are refused. */
export function readPackets(bytes: Buffer): readonly Packet[] {
  const reader = new ByteReader(bytes);
  const packets: Packet[] = [];
  while (reader.left > 0) {
    const head = reader.number(1);
    if ((head & 0x80) === 0) throw new OpenPgpError("it is no OpenPGP data");
    const isNew = (head & 0x40) !== 0;
    const tag = isNew ? head & 0x3f : (head >> 2) & 0x0f;
    const length = isNew ? packetLength(reader) : oldLength(head & 0x03, reader);
    packets.push({ tag, body: reader.take(length) });
  }
  return packets;
}

function oldLength(type: number, reader: ByteReader): number {
  if (type === 3) return reader.left;
  return reader.number(type === 0 ? 1 : type === 1 ? 2 : 4);
}

function packetLength(reader: ByteReader): number {
  const first = reader.number(1);
  if (first >= 224 && first < 255) throw new OpenPgpError("it has packets of unknown length");
  return longLength(first, reader);
}

/** The length of a subpacket or a packet, by its first byte. */
export function longLength(first: number, reader: ByteReader): number {
  if (first < 192) return first;
  return first === 255 ? reader.number(4) : ((first - 192) << 8) + reader.number(1) + 192;
}

/** The binary content of an armored block, whose lines these are; undefined where there is none. */
export function readArmor(text: string, title: string): Buffer | undefined {
  const [, block] =
    new RegExp(`^-----BEGIN PGP ${title}-----[ \\t\\r]*$(.*?)^-----END PGP ${title}-----[ \\t\\r]*$`, "ms").exec(text) ?? [];
  if (block === undefined) return undefined;
  const lines = block.split(/\r?\n/).slice(1);
  // Headers, then an empty line; the last line may be a checksum.
  const begin = lines.findIndex((line) => line.trim() === "");
  const content = lines.slice(begin + 1).filter((line) => !line.startsWith("="));
  return Buffer.from(content.join(""), "base64");
}
