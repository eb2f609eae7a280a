import { constants, type Http2ServerResponse } from "node:http2";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { ServerRequest } from "./incoming-body.ts";

// Models Go's net/http and net/url: what they refuse before any handler sees it

/** Why a request is refused, in the words of its answer. */
export function malformedRequest(request: ServerRequest): string | undefined {
  const { url = "", headers, rawHeaders } = request;
  const [path = ""] = url.split("?", 1);
  if (/%(?![0-9a-f]{2})/i.test(path)) return "400 Bad Request";
  if ("stream" in request || request.httpVersion === "1.0") return undefined;
  const { host } = headers;
  if (host === undefined) return "400 Bad Request: missing required Host header";
  if (rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length > 1) return "400 Bad Request";
  return /^[\w\-.~%!$&'()*+,;=:@[\]]*$/.test(host) ? undefined : "400 Bad Request: malformed Host header";
}

/** The path and query of a request line, which may be a whole address. */
export function originOf(url = ""): string {
  return url.replace(/^https?:\/\/[^/?]*/i, "");
}

const plainText = { "content-type": "text/plain; charset=utf-8", connection: "close" };

/** Refuses a request and closes its connection; over HTTP/2 its stream. */
export function refuseRequest(request: ServerRequest, response: Http2ServerResponse, text: string): void {
  if ("stream" in request) request.stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
  else response.writeHead(400, { ...plainText, "content-length": String(text.length) }).end(text);
}

/** Nobody knows what the client expects, or how its body would be read then. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(417, { connection: "close", "content-length": 0 }).end();
}

/** The codes of Node's parser of HTTP, and what is answered to them. */
const statuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_INVALID_VERSION: "505 HTTP Version Not Supported: unsupported protocol version",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Ends a connection over which something else than HTTP comes. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const text = statuses[error.code ?? ""] ?? "400 Bad Request";
  const [status = ""] = text.split(":", 1);
  socket.end(`HTTP/1.1 ${status}\r\nContent-Type: ${plainText["content-type"]}\r\nConnection: close\r\n\r\n${text}`, () =>
    socket.destroy(),
  );
}
