import { createHash } from "node:crypto";
import { closeSync, openSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { RealClock } from "../core/clock/index.ts";
import { Fault } from "../core/fault/index.ts";

/** A lock that this process holds. */
type FolderLock = { readonly release: () => Promise<void> };

/** The longest path of a socket: 104 bytes on macOS, 108 on Linux, with the zero at its end. */
const longestPath = 103;
const maxAttempts = 100;
/** How long a holder may take to say who it is. */
const greetingMs = 1000;
const pattern = /^lock-(\d{1,9})$/;

/**
 * Keeps other processes out of a folder by a listening socket in it. The kernel closes it when the process ends, however
 * that comes about, so a killed process leaves no lock behind, only the file.
 *
 * Each process listens on a name of its own before it looks at the others. So of two that begin at once, at least one sees the
 * other and leaves.
 */
export async function lockFolder(folder: string, identity: string): Promise<FolderLock> {
  if (process.platform === "win32") return lockByPipe(folder, identity);
  const { path, close } = shortPathOf(folder);
  let server: Server | undefined;
  try {
    const own = await listenInTurn(path, identity).catch((error: unknown) => objection(folder, error));
    server = own.server;
    for (const name of lockNames(path).filter((each) => each !== own.name)) {
      const holder = await holderOf(join(path, name));
      if (holder !== undefined) throw inUse(folder, holder);
      rmSync(join(path, name), { force: true });
    }
    return { release: () => release(own.server, close) };
  } catch (error) {
    if (server === undefined) close();
    else await release(server, close);
    throw error;
  }
}

/** Windows forgets a pipe with its process. */
async function lockByPipe(folder: string, identity: string): Promise<FolderLock> {
  const path = String.raw`\\.\pipe\sluice-${createHash("sha256").update(realpathSync(folder)).digest("hex")}`;
  const server = await listen(path, identity);
  if (server === undefined) throw inUse(folder, (await holderOf(path)) ?? "");
  return { release: () => release(server, () => {}) };
}

function inUse(folder: string, holder: string): Fault {
  return new Fault(`use ${folder}`, `it is in use by ${holder || "another process"}: end that one first, or name another folder`, {
    final: true,
  });
}

function objection(folder: string, error: unknown): never {
  const why = error instanceof Error ? error.message : String(error);
  throw new Fault(`use ${folder}`, `it takes no socket, which keeps other processes out (${why}): name a folder of a local file system`, {
    final: true,
  });
}

/** Linux reaches a socket in a folder with a long path by an open handle of the folder. */
function shortPathOf(folder: string): { readonly path: string; readonly close: () => void } {
  const path = realpathSync(folder);
  const room = longestPath - "/lock-123456789".length;
  if (Buffer.byteLength(path) <= room) return { path, close: () => {} };
  if (process.platform !== "linux")
    throw new Fault(`use ${folder}`, `its path is too long for a socket in it: expected at most ${room} bytes`, { final: true });
  const handle = openSync(path, "r");
  return { path: `/proc/self/fd/${handle}`, close: () => closeSync(handle) };
}

function lockNames(path: string): readonly string[] {
  return readdirSync(path).filter((name) => pattern.test(name));
}

/** Listens on the first name after those that are there. */
async function listenInTurn(path: string, identity: string): Promise<{ readonly name: string; readonly server: Server }> {
  for (let attempt = 1; ; attempt++) {
    const last = Math.max(0, ...lockNames(path).map((each) => Number(pattern.exec(each)?.[1])));
    const name = `lock-${last + 1}`;
    const server = await listen(join(path, name), identity);
    if (server !== undefined) return { name, server };
    if (attempt === maxAttempts) throw new Error(`${name} is taken by others again and again`);
  }
}

/** Undefined when the file exists. */
function listen(path: string, identity: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.end(identity);
    });
    server.once("error", (error: NodeJS.ErrnoException) => (error.code === "EADDRINUSE" ? resolve(undefined) : reject(error)));
    server.listen(path, () => resolve(server.unref()));
  });
}

function release(server: Server, close: () => void): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      close();
      resolve();
    });
  });
}

/** Who listens; empty when it does not say so, undefined when nobody does. */
function holderOf(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(path);
    const finish = (holder: string | undefined) => {
      cancel();
      socket.destroy();
      resolve(holder);
    };
    const cancel = new RealClock().after(greetingMs, () => finish(text));
    socket.setEncoding("utf8");
    socket.on("data", (part: string) => (text += part));
    socket.once("end", () => finish(text));
    // Nobody listens when the file is what a killed process has left, or is gone. Any other error is of one who does.
    socket.once("error", (error: NodeJS.ErrnoException) =>
      finish(error.code === "ECONNREFUSED" || error.code === "ENOENT" ? undefined : text),
    );
  });
}
