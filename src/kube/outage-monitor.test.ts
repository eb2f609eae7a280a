import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../core/clock/index.ts";
import type { Exchange } from "../core/exchange/index.ts";
import { startEmbeddedCluster } from "../embedded/index.ts";
import { connect, ConnectionFault, newInformer } from "./index.ts";

const refused = () => Promise.reject(new ConnectionFault("connect ECONNREFUSED", { code: "ECONNREFUSED", unsent: true }));
const map = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" } });

/** An embedded cluster that can be out of reach, and one more client of it that always reaches it. */
function unreliableCluster() {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock });
  let answer: Exchange = exchange;
  let cut = new AbortController();
  const cluster = connect((request) => answer({ ...request, signal: AbortSignal.any([request.signal, cut.signal]) }), { clock });
  return {
    clock,
    cluster,
    direct: connect(exchange, { clock }),
    /** Ends the streams, and refuses requests. */
    fail() {
      answer = refused;
      cut.abort(new ConnectionFault("the connection broke"));
    },
    recover() {
      cut = new AbortController();
      answer = exchange;
    },
    answerWith: (status: number) => void (answer = () => Promise.resolve({ status, headers: {}, body: ["{}"] })),
  };
}

test("an informer goes on as soon as any request is answered after an outage", async () => {
  const { clock, cluster, direct, fail, recover } = unreliableCluster();
  const stop = new AbortController();
  const informer = newInformer(cluster, { group: "", version: "v1", kind: "ConfigMap" }, { signal: stop.signal });
  await clock.until(informer.waitForSync());
  const has = (name: string) => informer.lister.find("default", name) !== undefined;
  fail();
  await clock.advance(200_000);
  recover();
  await clock.until(direct.create(map("late")));
  await clock.advance(1);
  assert.equal(has("late"), false, "it backs off");
  await clock.until(cluster.version());
  await clock.advance(1000);
  assert.equal(has("late"), true);
  stop.abort();
});

test("a pause ends early only after an outage, when the server has answered and gone on answering", async () => {
  const { clock, cluster, fail, recover, answerWith } = unreliableCluster();
  const ask = (path: string) => clock.until(cluster.raw({ method: "GET", path }).catch(() => undefined));
  let ended = 0;
  let recoveries = 0;
  const stop = new AbortController();
  cluster.onRecovery(() => recoveries++, stop.signal);
  const begin = () => void cluster.backOff(60_000).then(() => (ended = clock.now()));
  begin();
  await ask("/version");
  await clock.advance(5000);
  assert.equal(ended, 0, "there was no outage");
  answerWith(500);
  await ask("/version");
  await clock.advance(5000);
  assert.equal(ended, 0, "an answer of any kind is no outage");
  fail();
  await ask("/version");
  recover();
  await ask("/version");
  fail();
  await ask("/version");
  await clock.advance(5000);
  assert.equal(ended, 0, "it was gone again at once");
  recover();
  const answeredAt = clock.now();
  await ask("/version");
  await clock.advance(1000);
  assert.ok(ended >= answeredAt && ended <= answeredAt + 300, `${ended - answeredAt} ms`);
  assert.equal(recoveries, 1);
  stop.abort();
  fail();
  await ask("/version");
  recover();
  await ask("/version");
  await clock.advance(1000);
  assert.equal(recoveries, 1, "nobody listens any more");
});

test("a pause that is aborted rejects with the reason", async () => {
  const { cluster } = unreliableCluster();
  const stop = new AbortController();
  const pause = cluster.backOff(1000, stop.signal);
  stop.abort(new Error("enough"));
  await assert.rejects(pause, /enough/);
});
