import type { TestContext } from "node:test";
import { RealClock, type Clock } from "../../src/core/clock/index.ts";
import type { Answer, Request } from "../../src/core/exchange/index.ts";
import { readText } from "../../src/kube/body.ts";
import type { Endpoint } from "../../src/kube/transport/endpoint.ts";
import { openTransport } from "../../src/kube/transport/transport.ts";
import { authority } from "./loopback.ts";

/** Opens a transport that trusts the test authority, until the test has ended. */
export function openTestTransport(t: TestContext, endpoint: Partial<Endpoint> & { server: string }, clock: Clock = new RealClock()) {
  const transport = openTransport({ authority: authority.certificate, ...endpoint }, clock);
  t.after(() => transport.close());
  const send = (path: string, more: Partial<Request> = {}): Promise<Answer> =>
    transport.exchange({ method: "GET", path, headers: {}, signal: new AbortController().signal, ...more });
  const read = async (path: string, more?: Partial<Request>) => readText((await send(path, more)).body);
  return { transport, send, read };
}
