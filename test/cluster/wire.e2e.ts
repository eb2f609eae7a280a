import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect, type OutgoingHttpHeaders } from "node:http2";
import { once } from "node:events";
import { test } from "node:test";
import { answerToHeaderFrame } from "../wire/header-frame.ts";
import { maps, rawRequests } from "../wire/raw-request.ts";
import { sendRaw, type WireTarget } from "../wire/send-raw.ts";
import { shownOutcome } from "../wire/shown-outcome.ts";
import { serveEmbedded } from "../wire/serve-embedded.ts";
import { wireTargetOf } from "../wire/wire-target.ts";
import { environmentVariables } from "./run-end-to-end.ts";

const real = wireTargetOf(readFileSync(process.env[environmentVariables.kubeconfig] ?? "", "utf8"));
const embedded = await serveEmbedded();

test("requests that no client makes are answered as by the real server, or their connection is closed", async () => {
  const different: object[] = [];
  for (const request of rawRequests) {
    const [there, here] = await Promise.all([sendRaw(real, request), sendRaw(embedded, request)]);
    if (request.refusedByParser) {
      const isRefused =
        here.answers.length === 0 || here.answers.every(({ status, headers }) => status === "400" || headers["connection"] === "close");
      if (!isRefused) different.push({ request: request.name, embedded: here });
      continue;
    }
    const [expected, shown] = [shownOutcome(there), shownOutcome(here)];
    if (JSON.stringify(expected) !== JSON.stringify(shown)) different.push({ request: request.name, real: expected, embedded: shown });
  }
  assert.deepEqual(different, []);
});

const labels = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`l${index}`, ""]));
const labelled = (count: number) => JSON.stringify({ metadata: { name: "many", labels: labels(count) } });
const long = (bytes: number) => Object.fromEntries(Array.from({ length: bytes / 1000 }, (_, index) => [`x-${index}`, "a".repeat(990)]));

const overHttp2: Readonly<Record<string, { headers: OutgoingHttpHeaders; body?: string }>> = {
  "60 KB of headers": { headers: { ":path": "/version", ...long(60_000) } },
  "110 KB of headers": { headers: { ":path": "/version", ...long(110_000) } },
  "a broken escape": { headers: { ":path": "/api/v1/%" } },
  "bytes that are no text": { headers: { ":path": "/api/v1/namespaces/%ff" } },
  "an escaped slash": { headers: { ":path": "/api/v1/namespaces%2Fdefault" } },
  "two slashes": { headers: { ":path": "/api//v1/namespaces/default" } },
  dots: { headers: { ":path": "/api/v1/namespaces/.." } },
  "an unknown method": { headers: { ":path": `${maps}/x`, ":method": "FOO" } },
  HEAD: { headers: { ":path": `${maps}/x`, ":method": "HEAD" } },
  "a million labels": {
    headers: { ":path": `${maps}?dryRun=All`, ":method": "POST", "content-type": "application/json" },
    body: labelled(1_000_000),
  },
  "2,000 labels": {
    headers: { ":path": `${maps}?dryRun=All`, ":method": "POST", "content-type": "application/json" },
    body: labelled(2000),
  },
  "an expectation": {
    headers: { ":path": `${maps}?dryRun=All`, ":method": "POST", "content-type": "application/json", expect: "100-continue" },
    body: "{}",
  },
};

test("the same over HTTP/2", async () => {
  for (const [name, { headers, body }] of Object.entries(overHttp2)) {
    const [there, here] = await Promise.all([real, embedded].map((target) => answerOf(target, headers, body)));
    assert.deepEqual(here, there, name);
  }
  // Node takes eight frames of headers after the first, of 16 KB each, and closes the connection for more.
  assert.deepEqual(await answerOf(embedded, { ":path": "/version", ...long(500_000) }), ["closed"]);
});

test("headers of 500 KB in large frames, as Go sends them, are answered as by the real server", async () => {
  for (const bytes of [20_000, 500_000]) {
    const [there, here] = await Promise.all([real, embedded].map((target) => answerToHeaderFrame(target, bytes)));
    assert.deepEqual([here, there], ["200", "200"], `${bytes} bytes`);
  }
});

test("a connection that is closed for its headers is no trouble for others", async () => {
  const { server, ca, cert, key } = embedded;
  const other = connect(server, { ca, cert, key });
  const watch = other.request({
    ":path": `${maps}?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
  });
  const first = once(watch.setEncoding("utf8"), "data");
  await first;
  assert.deepEqual(await answerOf(embedded, { ":path": "/version", ...long(500_000) }), ["closed"]);
  const next = once(watch, "data");
  const created = await answerOf(embedded, { ":path": maps, ":method": "POST", "content-type": "application/json" }, labelled(1));
  assert.match(created.join("\n"), /201/);
  assert.match(String(await next), /"name":"many"/);
  other.destroy();
});

/** The answer over HTTP/2 as it is compared, or that there is none. */
function answerOf({ server, ca, cert, key }: WireTarget, headers: OutgoingHttpHeaders, body?: string): Promise<readonly string[]> {
  const session = connect(server, { ca, cert, key, maxSendHeaderBlockLength: 1 << 20 });
  session.on("error", () => {});
  return new Promise<readonly string[]>((resolve) => {
    const stream = session.request({ accept: "application/json", ...headers }, { endStream: body === undefined });
    let received = "";
    let answer = { status: "", headers: {} };
    stream.on("response", (got) => {
      const plain = Object.entries(got).filter(([, value]) => typeof value === "string");
      answer = { status: String(got[":status"]), headers: Object.fromEntries(plain) };
    });
    stream.setEncoding("utf8").on("data", (piece: string) => (received += piece));
    const done = () => {
      const { status } = answer;
      resolve(shownOutcome({ answers: status === "" ? [] : [{ ...answer, body: received }], closed: status === "" }));
    };
    // A client whose body is refused may still send when the answer is complete.
    stream
      .on("error", () => {})
      .on("end", done)
      .on("close", done);
    if (body !== undefined) stream.end(body);
  }).finally(() => session.destroy());
}
