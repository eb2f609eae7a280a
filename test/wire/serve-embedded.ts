import { after } from "node:test";
import { RealClock } from "../../src/core/clock/index.ts";
import { startEmbeddedCluster } from "../../src/embedded/index.ts";
import { serveExchange } from "../../src/server/index.ts";
import type { WireTarget } from "./send-raw.ts";

/** Serves an embedded cluster until the tests of the file have ended. */
export async function serveEmbedded(): Promise<WireTarget> {
  const { exchange, stop } = startEmbeddedCluster({ clock: new RealClock(), random: Math.random });
  const { url, authority, client, close } = await serveExchange(exchange, { now: new Date() });
  after(async () => {
    stop();
    await close();
  });
  return { server: url, ca: authority, cert: client.certificate, key: client.key };
}
