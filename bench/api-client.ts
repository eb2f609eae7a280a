import type { ClientHttp2Session, OutgoingHttpHeaders } from "node:http2";
import { openSession } from "../test/data/cluster-process.ts";
import { encodings, type Encoding } from "./api-pods.ts";

/** The windows of Go's HTTP/2 client, which client-go uses. */
const streamWindow = 4 * 1024 * 1024;
const connectionWindow = 1024 ** 3;

type Sent = { readonly method: string; readonly path: string; readonly body?: Uint8Array; readonly contentType?: string };

/** One connection of HTTP/2 over TLS, as a program with client-go has it: it takes whole answers and does not decode them. */
export class ApiConnection {
  readonly #session: ClientHttp2Session;
  readonly #encoding: Encoding;

  constructor(kubeconfig: string, encoding: Encoding) {
    this.#encoding = encoding;
    this.#session = openSession(kubeconfig, { initialWindowSize: streamWindow });
    this.#session.once("connect", () => this.#session.setLocalWindowSize(connectionWindow));
  }

  /** Sends a request, and returns the body of its answer. */
  send({ method, path, body, contentType = encodings[this.#encoding] }: Sent): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const stream = this.#session.request({
        ...this.#headers(method, path),
        ...(body === undefined ? {} : { "content-type": contentType }),
      });
      const chunks: Buffer[] = [];
      let status = 0;
      stream.on("response", (headers) => (status = headers[":status"] ?? 0));
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("error", reject);
      stream.on("end", () => {
        const answer = Buffer.concat(chunks);
        if (status >= 200 && status < 300) resolve(answer);
        else reject(new Error(`${method} ${path} was answered with ${status}: ${answer.toString().slice(0, 500)}`));
      });
      stream.end(body);
    });
  }

  /** Calls `onEvent` for each event of a watch. Resolves when the watch has begun. */
  watch(path: string, onEvent: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const stream = this.#session.request(this.#headers("GET", path));
      stream.on("response", ({ ":status": status }) =>
        status === 200 ? resolve() : reject(new Error(`${path} was answered with ${status}`)),
      );
      stream.on("error", reject);
      stream.on("data", this.#encoding === "JSON" ? linesTo(onEvent) : framesTo(onEvent));
    });
  }

  close(): void {
    this.#session.destroy();
  }

  #headers(method: string, path: string): OutgoingHttpHeaders {
    return { ":method": method, ":path": path, accept: encodings[this.#encoding], "user-agent": "bench" };
  }
}

/** Every event of a watch in JSON is a line. */
function linesTo(onEvent: () => void): (chunk: Buffer) => void {
  return (chunk) => {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) onEvent();
  };
}

/** Every event of a watch in protobuf follows its length in four bytes. */
function framesTo(onEvent: () => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= 4) {
      const end = 4 + rest.readUInt32BE(0);
      if (rest.length < end) return;
      rest = rest.subarray(end);
      onEvent();
    }
  };
}
