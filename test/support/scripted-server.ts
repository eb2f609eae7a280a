/** A server of widgets with scripted answers, and a client of it. */
import type { ServerHttp2Stream } from "node:http2";
import type { TestContext } from "node:test";
import { RealClock } from "../../src/core/clock/index.ts";
import { connect, openTransport, type InformerEvent } from "../../src/kube/index.ts";
import { authority, reply, serveHttp2, type Loopback } from "./loopback.ts";
import { widgetResourceList, changeText } from "./widgets.ts";

export type ScriptedResponse = (stream: ServerHttp2Stream, query: URLSearchParams) => void;

/** Serves these answers to lists and watches of widgets, one after the other, and keeps the last one open. */
export async function serveScript(t: TestContext, script: ScriptedResponse[], port = 0): Promise<Loopback & { asked: string[] }> {
  const asked: string[] = [];
  const server = await serveHttp2(
    t,
    (stream, headers) => {
      const url = new URL(String(headers[":path"]), "http://server");
      if (url.pathname === "/api") return reply(stream, 200, { kind: "APIVersions", versions: [] });
      if (url.pathname === "/apis") {
        return reply(stream, 200, {
          kind: "APIGroupList",
          groups: [{ name: "example.com", versions: [{ groupVersion: "example.com/v1", version: "v1" }] }],
        });
      }
      if (url.pathname === "/apis/example.com/v1") return reply(stream, 200, widgetResourceList);
      const since = url.searchParams.get("resourceVersion");
      const list = url.searchParams.has("resourceVersionMatch") ? `list at ${since}` : "list";
      asked.push(url.searchParams.has("watch") ? `watch ${since}` : url.searchParams.get("limit") === "1" ? "probe" : list);
      script.shift()?.(stream, url.searchParams);
    },
    { port },
  );
  return { ...server, asked };
}

export const answer =
  (code: number, body: unknown): ScriptedResponse =>
  (stream) =>
    reply(stream, code, body);
/** Sends chunks, then ends the stream, resets it, or keeps it open. */
export const send =
  (pieces: (string | Buffer)[], end: "end" | "reset" | "hold" = "hold"): ScriptedResponse =>
  (stream) => {
    stream.respond({ ":status": 200 });
    for (const piece of pieces) stream.write(piece);
    if (end === "end") stream.end();
    if (end === "reset") setImmediate(() => setImmediate(() => stream.destroy(new Error("reset"))));
  };

/** An accelerated clock: only the order is tested. */
export const clock = new RealClock({ speed: 1000 });

export function clusterAt(t: TestContext, server: { url: string }) {
  const transport = openTransport({ server: server.url, authority: authority.certificate }, new RealClock());
  t.after(() => transport.close());
  return connect(transport.exchange, { clock, attempts: 1 });
}

/** Reads until the event `last`. */
export async function read(changes: AsyncIterable<InformerEvent>, last: string): Promise<string[]> {
  const emitted: string[] = [];
  for await (const change of changes) {
    emitted.push(changeText(change));
    if (emitted.at(-1) === last) break;
  }
  return emitted;
}

/** Polls `look` until it returns something. */
export async function until<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const seen = look();
    if (seen !== undefined) return seen;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
