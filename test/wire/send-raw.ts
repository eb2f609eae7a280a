import { connect } from "node:tls";
import type { RawRequest } from "./raw-request.ts";

/** Where a server is, and who asks. */
export type WireTarget = { readonly server: string; readonly ca: string; readonly cert: string; readonly key: string };

export type RawAnswer = { readonly status: string; readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** What came back: whole answers, and whether the server closed the connection instead of the next one. */
export type RawOutcome = { readonly answers: readonly RawAnswer[]; readonly closed: boolean };

/** An option of the sockets below, which the types of TLS leave out. */
const halfOpen: object = { allowHalfOpen: true };
const withinMs = 60_000;

/** Sends a request over a connection of its own and reads its answers. Rejects when nothing comes. */
export function sendRaw(target: WireTarget, request: RawRequest): Promise<RawOutcome> {
  const { hostname: host, port } = new URL(target.server);
  const identity = request.anonymous ? {} : { cert: target.cert, key: target.key };
  const { promise, resolve, reject } = Promise.withResolvers<RawOutcome>();
  const socket = connect({ host, port: Number(port), ca: target.ca, ...identity, ...halfOpen });
  const wanted = request.answers ?? 1;
  const isHead = (request.pieces[0] ?? "").toString().startsWith("HEAD ");
  let received = Buffer.alloc(0);
  const look = (closed: boolean) => {
    const answers = answersIn(received, isHead, closed);
    if (answers.length >= wanted || closed) resolve({ answers, closed: answers.length < wanted });
  };
  socket.on("data", (piece: Buffer) => {
    received = Buffer.concat([received, piece]);
    look(false);
  });
  socket
    .on("end", () => look(true))
    .on("close", () => look(true))
    .on("error", () => {});
  socket.setTimeout(withinMs, () =>
    reject(new Error(`${request.name}: no answer within ${withinMs / 1000} s; received ${received.toString()}`)),
  );
  for (const piece of request.pieces) socket.write(piece);
  if (request.halfClosed) socket.end();
  return promise.finally(() => socket.destroy());
}

function answersIn(received: Buffer, isHead: boolean, closed: boolean): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let at = 0; ;) {
    const end = received.indexOf("\r\n\r\n", at);
    if (end < 0) return answers;
    const [first = "", ...lines] = received.toString("latin1", at, end).split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const status = first.split(" ")[1] ?? first;
    const found = isHead || status === "304" ? { body: "", next: end + 4 } : bodyAt(received, end + 4, headers, closed);
    if (found === undefined) return answers;
    if (status !== "100") answers.push({ status, headers, body: found.body });
    at = found.next;
  }
}

type Found = { readonly body: string; readonly next: number };

function bodyAt(received: Buffer, at: number, headers: Readonly<Record<string, string>>, closed: boolean): Found | undefined {
  const { "content-length": length } = headers;
  if (length !== undefined) {
    const next = at + Number(length);
    return next > received.length ? undefined : { body: received.toString("utf8", at, next), next };
  }
  if (headers["transfer-encoding"] !== "chunked")
    return closed ? { body: received.toString("utf8", at), next: received.length } : undefined;
  const chunks: Buffer[] = [];
  for (let from = at; ;) {
    const line = received.indexOf("\r\n", from);
    if (line < 0) return undefined;
    const size = Number.parseInt(received.toString("latin1", from, line), 16);
    const next = line + 2 + size + 2;
    if (next > received.length) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks).toString(), next };
    chunks.push(received.subarray(line + 2, line + 2 + size));
    from = next;
  }
}
