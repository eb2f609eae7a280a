/**
 * Fault injection between a client and a cluster: a TCP proxy whose connections can be reset, and an exchange whose
 * answers and streams can be replaced. They do not know what requests contain.
 */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { Answer, Body, Chunk, Exchange, Request } from "../../src/core/exchange/index.ts";

export type TcpProxy = {
  readonly port: number;
  /** Resets every connection. */
  cut(): void;
  /** Resets every connection and accepts no new ones. */
  goDown(): Promise<void>;
  /** Accepts connections again, on the same port. */
  comeUp(): Promise<void>;
  close(): Promise<void>;
};

/** Forwards connections to a port of this machine. */
export async function tcpProxyTo(port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined); // the other side sees the close
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

/** A fault of an open stream: its end, a cut inside the next chunk, or an injected line. */
type StreamFault = { readonly type: "end" | "half" } | { readonly type: "line"; readonly line: string };

/** An exchange in front of another one. Its answers and streams can be replaced by faults. */
export class FaultInjector {
  backing: Exchange;
  readonly #answers: Answer[] = [];
  readonly #streams = new Set<(fault: StreamFault) => void>();
  /** Called first for every request. Its answer replaces the real one. */
  intercept: (request: Request) => Answer | undefined = () => undefined;

  constructor(backing: Exchange) {
    this.backing = backing;
  }

  readonly exchange: Exchange = async (request) => {
    const instead = this.#answers.shift() ?? this.intercept(request);
    if (instead !== undefined) return instead;
    const answer = await this.backing(request);
    return Array.isArray(answer.body) ? answer : { ...answer, body: this.#withFaults(answer.body) };
  };

  /** The next requests get these answers. */
  respondNext(...answers: readonly Answer[]): void {
    this.#answers.push(...answers);
  }

  /** Removes pending answers and the interceptor. */
  clear(): void {
    this.#answers.length = 0;
    this.intercept = () => undefined;
  }

  failStreams(fault: StreamFault): void {
    for (const fail of this.#streams) fail(fault);
  }

  async *#withFaults(body: Body): AsyncGenerator<Chunk> {
    let wake = Promise.withResolvers<StreamFault>();
    const fail = (fault: StreamFault) => wake.resolve(fault);
    this.#streams.add(fail);
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
      this.#streams.delete(fail);
      // The request's signal ends what the source still waits for.
      void source.return(undefined).catch(() => undefined);
    }
  }
}

async function* piecesOf(body: Body): AsyncGenerator<Chunk> {
  yield* body;
}
