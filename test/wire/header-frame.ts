import { connect, type TLSSocket } from "node:tls";
import type { WireTarget } from "./send-raw.ts";

// One request over HTTP/2 whose headers come in frames as large as the server takes, as Go's client sends them; Node's have 16 KB.

const frameTypes = { headers: 1, resetStream: 3, settings: 4, goAway: 7, continuation: 9 } as const;
const [endOfStream, endOfHeaders] = [1, 4];
/** The setting, and its default. */
const maxFrameSize = { id: 5, otherwise: 16_384 };
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A text with its length, whose first byte holds up to 127. */
function text(value: string): Buffer {
  const length: number[] = [];
  let rest = value.length - 127;
  if (rest < 0) length.push(value.length);
  else for (length.push(127); length.length === 1 || rest > 0; rest >>= 7) length.push(rest >= 128 ? (rest & 127) | 128 : rest);
  return Buffer.concat([Buffer.from(length), Buffer.from(value)]);
}

/** A header that no table keeps. */
const field = (name: string, value: string) => Buffer.concat([Buffer.from([0]), text(name), text(value)]);

/** Whether a server answers a request for `/version` with so many more bytes of headers: `200`, or that it ends it. */
export async function answerToHeaderFrame({ server, ca, cert, key }: WireTarget, bytes: number): Promise<string> {
  const { hostname, port, host } = new URL(server);
  const more = Array.from({ length: bytes / 1000 }, (_, index) => field(`x-${index}`, "a".repeat(990)));
  const pseudo = { ":method": "GET", ":scheme": "https", ":authority": host, ":path": "/version" };
  const block = Buffer.concat([...Object.entries(pseudo).map(([name, value]) => field(name, value)), ...more]);
  const socket = connect({ host: hostname, port: Number(port), ca, cert, key, ALPNProtocols: ["h2"] });
  try {
    return await exchange(socket, block);
  } finally {
    socket.destroy();
  }
}

/** What a server's settings allow, which are pairs of a number of two bytes and one of four. */
function frameSizeIn(settings: Buffer): number {
  for (let at = 0; at + 6 <= settings.length; at += 6)
    if (settings.readUInt16BE(at) === maxFrameSize.id) return settings.readUInt32BE(at + 2);
  return maxFrameSize.otherwise;
}

function headerFrames(block: Buffer, size: number): readonly Buffer[] {
  const count = Math.ceil(block.length / size);
  return Array.from({ length: count }, (_, index) => {
    const flags = (index === 0 ? endOfStream : 0) | (index === count - 1 ? endOfHeaders : 0);
    return frame(index === 0 ? frameTypes.headers : frameTypes.continuation, flags, 1, block.subarray(index * size, (index + 1) * size));
  });
}

function exchange(socket: TLSSocket, block: Buffer): Promise<string> {
  let received = Buffer.alloc(0);
  return new Promise((resolve) => {
    socket.on("secureConnect", () =>
      socket.write(Buffer.concat([Buffer.from(preface), frame(frameTypes.settings, 0, 0, Buffer.alloc(0))])),
    );
    socket.on("error", () => resolve("closed")).on("close", () => resolve("closed"));
    socket.on("data", (piece: Buffer) => {
      received = Buffer.concat([received, piece]);
      while (received.length >= 9 && received.length >= 9 + received.readUIntBE(0, 3)) {
        const length = received.readUIntBE(0, 3);
        const [type, flags, payload] = [received.readUInt8(3), received.readUInt8(4), received.subarray(9, 9 + length)];
        received = received.subarray(9 + length);
        if (type === frameTypes.settings && flags === 0) {
          const acknowledged = frame(frameTypes.settings, 1, 0, Buffer.alloc(0));
          socket.write(Buffer.concat([acknowledged, ...headerFrames(block, frameSizeIn(payload))]));
        }
        if (type === frameTypes.goAway || type === frameTypes.resetStream) return resolve("closed");
        // 0x88 is `:status: 200`.
        if (type === frameTypes.headers) return resolve(payload.includes(0x88) ? "200" : "refused");
      }
    });
  });
}
