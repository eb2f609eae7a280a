import { isIP, type Socket } from "node:net";
import { ConnectionFault } from "../connection-fault.ts";
import { hostPortOf } from "./endpoint.ts";
import { openTcp, openTls, type Track } from "./socket.ts";
import { systemCertPool } from "../../http/index.ts";

/** The trusted CAs of an https proxy: those of the server and those of the system. */
type ProxyTlsOptions = { readonly authority?: string; readonly insecure?: boolean };

/** Connects to a host and port through a proxy. */
export async function dialProxy(proxy: URL, host: string, port: number, trust: ProxyTlsOptions, track: Track): Promise<Socket> {
  switch (proxy.protocol) {
    case "http:":
      return connectTunnel(await reached(proxy, plainly(proxy, track)), proxy, host, port);
    case "https:":
      return connectTunnel(await reached(proxy, securely(proxy, trust, track)), proxy, host, port);
    case "socks5:":
    case "socks5h:":
      return socksTunnel(await reached(proxy, plainly(proxy, track)), proxy, host, port);
    default:
      throw new ConnectionFault(`the proxy ${shown(proxy)} is neither http, https nor socks5: change proxy-url`, {
        transient: false,
        unsent: true,
      });
  }
}

function plainly(proxy: URL, track: Track): Promise<Socket> {
  const { host, port } = hostPortOf(proxy);
  return openTcp(host, port, track);
}

async function securely(proxy: URL, { authority, insecure }: ProxyTlsOptions, track: Track): Promise<Socket> {
  const { host } = hostPortOf(proxy);
  const ca = authority === undefined ? systemCertPool() : [...systemCertPool(), authority];
  const named = isIP(host) === 0 ? { servername: host } : {};
  return openTls(await plainly(proxy, track), { host, ...named, ca, rejectUnauthorized: !insecure, ALPNProtocols: ["http/1.1"] }, track);
}

/** Reports an error of the connection to the proxy as the proxy's, not the server's. */
async function reached(proxy: URL, connecting: Promise<Socket>): Promise<Socket> {
  try {
    return await connecting;
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const why = code === "" ? String(cause) : code;
    throw new ConnectionFault(`the proxy ${shown(proxy)} cannot be reached (${why}): check proxy-url, HTTPS_PROXY and NO_PROXY`, {
      code,
      transient: false,
      unsent: true,
      cause,
    });
  }
}

async function connectTunnel(socket: Socket, proxy: URL, host: string, port: number): Promise<Socket> {
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const { username, password } = credentialsOf(proxy);
  const login = username === "" ? "" : `Proxy-Authorization: Basic ${Buffer.from(`${username}:${password}`).toString("base64")}\r\n`;
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${login}\r\n`);
  const head = await readUntil(socket, (bytes) => {
    const end = bytes.indexOf("\r\n\r\n");
    return end < 0 ? -1 : end + 4;
  });
  const [first = ""] = head.toString("latin1").split("\r\n");
  if (/^HTTP\/1\.[01] 2\d\d/.test(first)) return socket;
  socket.destroy();
  const words = first.replace(/^HTTP\/\S+ /, "");
  throw new ConnectionFault(
    `the proxy ${shown(proxy)} does not connect to ${target} (${words}): check proxy-url, HTTPS_PROXY and NO_PROXY`,
    {
      code: "EPROXY",
      transient: false,
      unsent: true,
    },
  );
}

/** SOCKS 5 (RFC 1928), by host name, with user name and password (RFC 1929) if the URL has them. */
async function socksTunnel(socket: Socket, proxy: URL, host: string, port: number): Promise<Socket> {
  const { username, password } = credentialsOf(proxy);
  const method = username === "" ? 0 : 2;
  const expect = (ok: boolean, why: string) => {
    if (ok) return;
    socket.destroy();
    throw new ConnectionFault(`the proxy ${shown(proxy)} does not connect to ${host}:${port}: ${why}`, {
      code: "EPROXY",
      transient: false,
      unsent: true,
    });
  };
  socket.write(Buffer.from([5, 1, method]));
  const greeting = await readUntil(socket, lengthIs(2));
  expect(greeting[0] === 5 && greeting[1] === method, "it does not take our way to log in");
  if (method === 2) {
    socket.write(Buffer.concat([Buffer.from([1]), counted(username), counted(password)]));
    expect((await readUntil(socket, lengthIs(2)))[1] === 0, "it refuses the user name and password");
  }
  socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3]), counted(host), Buffer.from([port >> 8, port & 0xff])]));
  const reply = await readUntil(socket, (bytes) => (bytes.length < 5 ? -1 : replyLength(bytes)));
  expect(reply[1] === 0, `it answered ${reply[1]}`);
  return socket;
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text, "utf8");
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function replyLength(bytes: Buffer): number {
  const byType: Record<number, number> = { 1: 10, 3: 7 + (bytes[4] ?? 0), 4: 22 };
  const length = byType[bytes[3] ?? 1] ?? 10;
  return bytes.length >= length ? length : -1;
}

function lengthIs(length: number) {
  return (bytes: Buffer) => (bytes.length >= length ? length : -1);
}

/** Reads until `endOf` finds the end. The bytes after it stay in the socket. */
function readUntil(socket: Socket, endOf: (bytes: Buffer) => number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const read = () => {
      for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) bytes = Buffer.concat([bytes, chunk]);
      const end = endOf(bytes);
      if (end < 0) return;
      finish();
      if (end < bytes.length) socket.unshift(bytes.subarray(end));
      resolve(bytes.subarray(0, end));
    };
    const fail = (error?: unknown) => {
      finish();
      reject(error instanceof Error ? error : Object.assign(new Error("closed"), { code: "ECONNRESET" }));
    };
    const finish = () => {
      socket.off("readable", read);
      socket.off("error", fail);
      socket.off("close", fail);
    };
    socket.on("readable", read);
    socket.on("error", fail);
    socket.on("close", fail);
  });
}

function credentialsOf(proxy: URL): { username: string; password: string } {
  return { username: decodeURIComponent(proxy.username), password: decodeURIComponent(proxy.password) };
}

/** The URL without credentials. */
function shown(proxy: URL): string {
  return `${proxy.protocol}//${proxy.host}`;
}
