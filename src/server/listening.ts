import type { Server } from "node:http";
import type { Http2SecureServer } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { Fault } from "../core/fault/index.ts";
import type { ListenAddress } from "./serve-pages.ts";

type ListeningServer = { readonly address: AddressInfo; readonly close: () => Promise<void> };

type ListenOptions = {
  /** What has the sockets that are closed at the end: those of the network, or those of TLS. */
  readonly sockets: "connection" | "secureConnection";
  /** How another port is chosen, for the message. */
  readonly otherPort: string;
};

/** Has a server listen. Closing it ends all connections. */
export async function startListening(
  server: Server | Http2SecureServer,
  { host, port }: ListenAddress,
  { sockets: event, otherPort }: ListenOptions,
): Promise<ListeningServer> {
  const sockets = new Set<Socket>();
  server.on(event, (socket: Socket) => {
    // An answer in several writes must not wait for the client to acknowledge the first. HTTP/2 sets this by itself.
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      const what = taken ? `port ${port} is in use: ${otherPort}, or leave it out for any free one` : error.message;
      reject(new Fault(`listen on ${host ?? ""}:${port}`, what, { final: true }));
    });
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => resolve());
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { address: server.address() as AddressInfo, close };
}
