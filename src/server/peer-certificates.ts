import type { TLSSocket } from "node:tls";
import type { Peer } from "../core/exchange/index.ts";
import type { ServerRequest } from "./incoming-body.ts";

/** The peers of a server's connections, each read once. */
export class PeerCertificates {
  readonly #known = new WeakMap<object, Peer>();

  of(request: ServerRequest): Peer {
    // HTTP/2 gives a proxy of its socket, a new one each time; the session lasts as long as the connection.
    const connection: object = ("stream" in request ? request.stream.session : undefined) ?? request.socket;
    const known = this.#known.get(connection);
    if (known !== undefined) return known;
    const peer = peerOf(request.socket as TLSSocket);
    this.#known.set(connection, peer);
    return peer;
  }
}

function peerOf(socket: TLSSocket): Peer {
  const { subject, fingerprint256 } = socket.getPeerCertificate();
  if (fingerprint256 === undefined) return {};
  if (!socket.authorized) return { certificate: "untrusted" };
  const fingerprint = fingerprint256.replaceAll(":", "").toLowerCase();
  return { certificate: { commonName: all(subject.CN).at(-1) ?? "", organizations: all(subject.O), fingerprint } };
}

function all(values: string | readonly string[] | undefined): readonly string[] {
  return values === undefined ? [] : typeof values === "string" ? [values] : values;
}
