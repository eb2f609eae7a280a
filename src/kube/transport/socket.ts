import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from "node:tls";

/** Called with every opened socket, so that a caller that gives up can close them all. */
export type Track = <S extends Socket>(socket: S) => S;

export function openTcp(host: string, port: number, track: Track): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = track(connectTcp({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 }));
    settleOn(socket, "connect", resolve, reject);
  });
}

export function openTls(plain: Socket, options: ConnectionOptions, track: Track): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = track(connectTls({ ...options, socket: plain }));
    settleOn(socket, "secureConnect", resolve, reject);
  });
}

function settleOn<S extends Socket>(socket: S, event: string, resolve: (socket: S) => void, reject: (error: unknown) => void): void {
  const closed = () => reject(Object.assign(new Error("closed"), { code: "ECONNRESET" }));
  socket.once("error", reject);
  socket.once("close", closed);
  socket.once(event, () => {
    socket.off("error", reject);
    socket.off("close", closed);
    resolve(socket);
  });
}
