import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { RealClock } from "../../src/core/clock/index.ts";

/**
 * What happens to connections. `pass`: they work. `reset`: they are reset. `half-open`: what the client sends arrives, and
 * no answer comes back.
 */
type LinkMode = "pass" | "reset" | "half-open";

/** One connection of a client and the one to the server that belongs to it. */
type Link = { readonly client: Socket; readonly server: Socket; isDead: boolean; isHalfOpen: boolean };

const clock = new RealClock();

/** A TCP proxy on loopback that does to connections what networks do. It does not look into them. */
export class FaultProxy {
  readonly #links = new Set<Link>();
  #server: Server;
  #mode: LinkMode = "pass";
  /** The port. It stays the same while the proxy is away. */
  readonly port: number;
  /** The port on loopback that new connections lead to. */
  target: number;
  /** How long each piece of an answer takes. */
  latencyMs = 0;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    this.target = target;
    server.on("connection", (client) => this.#accept(client));
  }

  static async open(target: number): Promise<FaultProxy> {
    return new FaultProxy(await listening(0), target);
  }

  /** Does this to all connections, present and new. */
  set mode(mode: LinkMode) {
    this.#mode = mode;
    if (mode === "reset") this.resetAll();
    if (mode === "half-open") for (const link of this.#links) link.isHalfOpen = true;
  }

  /** Resets the connections there are. */
  resetAll(): void {
    for (const link of this.#links) this.#drop(link, true);
  }

  /** From now on nothing gets through the connections there are, and neither end is told. New ones work. */
  cutSilently(): void {
    for (const link of this.#links) link.isDead = true;
  }

  /** Stops listening, and resets all connections. */
  async goAway(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.resetAll();
    await closed;
  }

  async comeBack(): Promise<void> {
    this.#server = await listening(this.port);
    this.#server.on("connection", (client) => this.#accept(client));
  }

  async close(): Promise<void> {
    if (this.#server.listening) await this.goAway();
    this.resetAll();
  }

  #accept(client: Socket): void {
    if (this.#mode === "reset") {
      client.on("error", ignored);
      return void client.resetAndDestroy();
    }
    const server = connect(this.target, "127.0.0.1");
    const link: Link = { client, server, isDead: false, isHalfOpen: this.#mode === "half-open" };
    this.#links.add(link);
    client.setNoDelay(true);
    server.setNoDelay(true);
    this.#forward(link, client, server, () => 0);
    this.#forward(link, server, client, () => this.latencyMs);
  }

  #forward(link: Link, from: Socket, to: Socket, latencyMs: () => number): void {
    const isCut = () => link.isDead || (link.isHalfOpen && from === link.server);
    const later = (then: () => void) => (latencyMs() === 0 ? then() : void clock.after(latencyMs(), then));
    from.on("data", (piece) => later(() => void (isCut() || to.destroyed || to.write(piece))));
    from.on("end", () => later(() => void (isCut() || to.end())));
    from.on("error", ignored);
    from.on("close", () => later(() => void (isCut() || this.#drop(link, from.errored !== null))));
  }

  #drop(link: Link, isReset: boolean): void {
    this.#links.delete(link);
    for (const socket of [link.client, link.server]) {
      // One that has been ended cannot be reset any more: it would stay open.
      if (isReset && !socket.writableEnded) socket.resetAndDestroy();
      else socket.destroy();
    }
  }
}

/** The other end hears of it. */
function ignored(): void {}

async function listening(port: number): Promise<Server> {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}
