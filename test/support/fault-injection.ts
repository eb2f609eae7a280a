/**
 * Trouble on demand between a client and a cluster: a relay whose connections can be cut, and an exchange whose answers
 * can be spoiled. They know the shape of requests and streams, and nothing of what is in them.
 */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { Answer, Body, Chunk, Exchange, Request } from "../../src/core/exchange/index.ts";

export type TcpProxy = {
  readonly port: number;
  /** Resets every connection. */
  cut(): void;
  /** Resets every connection and takes no new ones. */
  goDown(): Promise<void>;
  /** Takes connections again, on the same port. */
  comeUp(): Promise<void>;
  close(): Promise<void>;
};

/** Passes bytes on to a port of this machine. */
export async function tcpProxyTo(port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined); // the other side learns of it by the close
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const goDown = () =>
    new Promise<void>((resolve) => {
      if (!server.listening) return resolve();
      server.close(() => resolve());
      cut();
    });
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  return {
    port: own,
    cut,
    goDown,
    comeUp: async () => {
      if (!server.listening) await listen(own);
    },
    close: goDown,
  };
}

/** What may happen to a stream that is under way: its end, a line of garbage, a given last line, or a cut inside what comes next. */
type StreamFault = { readonly type: "end" | "half" } | { readonly type: "line"; readonly line: string };

/** An exchange in front of another, which can be replaced, with answers and streams that can be spoiled. */
export class FaultInjector {
  backing: Exchange;
  readonly #answers: Answer[] = [];
  readonly #streams = new Set<(spoiling: StreamFault) => void>();
  /** Looks at every request first; what it answers goes out instead. */
  intercept: (request: Request) => Answer | undefined = () => undefined;

  constructor(backing: Exchange) {
    this.backing = backing;
  }

  readonly exchange: Exchange = async (request) => {
    const instead = this.#answers.shift() ?? this.intercept(request);
    if (instead !== undefined) return instead;
    const answer = await this.backing(request);
    return Array.isArray(answer.body) ? answer : { ...answer, body: this.#spoilable(answer.body) };
  };

  /** The next request gets this answer, whatever it asks. */
  respondNext(...answers: readonly Answer[]): void {
    this.#answers.push(...answers);
  }

  /** Forgets the answers that nobody asked for. */
  clear(): void {
    this.#answers.length = 0;
    this.intercept = () => undefined;
  }

  failStreams(spoiling: StreamFault): void {
    for (const spoil of this.#streams) spoil(spoiling);
  }

  async *#spoilable(body: Body): AsyncGenerator<Chunk> {
    let wake = Promise.withResolvers<StreamFault>();
    const spoil = (spoiling: StreamFault) => wake.resolve(spoiling);
    this.#streams.add(spoil);
    const source = piecesOf(body);
    let halve = false;
    try {
      for (let next = source.next(); ;) {
        const got = await Promise.race([next, wake.promise]);
        if ("type" in got) {
          wake = Promise.withResolvers();
          if (got.type === "end") return;
          if (got.type === "line") yield `${got.line}\n`;
          else halve = true;
          continue;
        }
        if (got.done) return;
        if (halve) return yield got.value.slice(0, got.value.length / 2);
        yield got.value;
        next = source.next();
      }
    } finally {
      this.#streams.delete(spoil);
      // What is awaited of the source is ended by the request's signal; nobody needs it any more.
      void source.return(undefined).catch(() => undefined);
    }
  }
}

async function* piecesOf(body: Body): AsyncGenerator<Chunk> {
  yield* body;
}
