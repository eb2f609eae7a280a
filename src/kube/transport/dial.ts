import { isIP, type Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
import type { Clock } from "../../core/clock/index.ts";
import { hostPortOf, type Endpoint } from "./endpoint.ts";
import { dialProxy } from "./dial-proxy.ts";
import { openTcp, openTls } from "./socket.ts";
import { systemCertPool } from "../../http/index.ts";
import { connectTimeoutFault, connectionFaultOf, untrustedCertificateFault } from "./connection-fault-of.ts";

/** A connection that is ready for requests, with the negotiated protocol. */
type DialedConnection = { readonly socket: Socket; readonly protocol: "h2" | "http/1.1" };

const defaultTimeoutMs = 15_000;

type DialOptions = {
  readonly clock: Clock;
  /** The server has answered before, so it may come back soon. */
  readonly known: boolean;
  /** Called with every socket as soon as there is one. */
  readonly onSocket: (socket: Socket) => void;
};

/** Connects to the server: through the proxy if there is one, with TLS if the server's URL is https. */
export async function dial(endpoint: Endpoint, { clock, known, onSocket }: DialOptions): Promise<DialedConnection> {
  const url = new URL(endpoint.server);
  const timeoutMs = endpoint.connectTimeoutMs ?? defaultTimeoutMs;
  const certificate = await endpoint.certificate?.();
  const opened: Socket[] = [];
  let late = false;
  const cancel = clock.after(timeoutMs, () => {
    late = true;
    for (const socket of opened) socket.destroy();
  });
  try {
    const { host, port } = hostPortOf(url);
    const track = <S extends Socket>(socket: S): S => {
      opened.push(socket);
      onSocket(socket);
      return socket;
    };
    const plain =
      endpoint.proxy === undefined
        ? await openTcp(host, port, track)
        : await dialProxy(new URL(endpoint.proxy), host, port, endpoint, track);
    if (url.protocol !== "https:") return { socket: plain, protocol: "http/1.1" };
    const options = { ...tlsOptions(endpoint, host), ...(certificate && { cert: certificate.certificate, key: certificate.key }) };
    const secure = await openTls(plain, options, track);
    if (!endpoint.insecure && !secure.authorized) {
      const fault = untrustedCertificateFault(endpoint.server, secure, endpoint.serverName ?? host);
      secure.destroy();
      throw fault;
    }
    return { socket: secure, protocol: secure.alpnProtocol === "h2" ? "h2" : "http/1.1" };
  } catch (error) {
    for (const socket of opened) socket.destroy();
    throw late
      ? connectTimeoutFault(endpoint.server, timeoutMs, known)
      : connectionFaultOf(endpoint.server, error, { known, unsent: true });
  } finally {
    cancel();
  }
}

/** The server's certificate is verified after the handshake and before anything is sent, so that the error can name the cause. */
function tlsOptions(endpoint: Endpoint, host: string): ConnectionOptions {
  const name = endpoint.serverName ?? host;
  return {
    host: name,
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ca: endpoint.authority ?? systemCertPool(),
    ALPNProtocols: ["h2", "http/1.1"],
    rejectUnauthorized: false,
  };
}
