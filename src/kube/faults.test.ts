import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { tcpProxyTo, FaultInjector, type TcpProxy } from "../../test/support/fault-injection.ts";
import { RealClock, VirtualClock } from "../core/clock/index.ts";
import type { Answer } from "../core/exchange/index.ts";
import type { KubeObject } from "../core/object/index.ts";
import { serveExchange, type ServedExchange } from "../server/index.ts";
import { startEmbeddedCluster, type EmbeddedCluster } from "../embedded/index.ts";
import { connect, newInformer, openTransport, type InformerEvent, type Cluster, type Transport } from "./index.ts";
import { withWholeBodies } from "../../test/support/whole-bodies.ts";

const configMaps = { group: "", version: "v1", kind: "ConfigMap" };
const namespace = "default";

/** A write by another client, without network faults. */
type Write = { readonly verb: "put" | "delete"; readonly name: string };
type Step =
  | Write
  | { readonly verb: "turn"; readonly times: number }
  | { readonly verb: "cut" | "restart" | "end" | "half" | "garbage line" | "not an event" | "expire" | "older" | "other" }
  | { readonly verb: "answer"; readonly answer: keyof typeof answers };

const status = (code: number, reason: string) =>
  JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message: reason });
const json = { "content-type": "application/json" };
const answers = {
  "500": { status: 500, headers: json, body: [status(500, "InternalError")] },
  "503": { status: 503, headers: {}, body: ["starting"] },
  "429": { status: 429, headers: { "retry-after": "1" }, body: [status(429, "TooManyRequests")] },
  "web page": { status: 200, headers: { "content-type": "text/html" }, body: ["<html>log in first</html>"] },
  "no list": { status: 200, headers: json, body: ['{"kind":"ConfigMapList","apiVersion":"v1","items":[17]}'] },
  "half an answer": { status: 200, headers: json, body: ['{"kind":"ConfigMapList","apiVersion":"v1","items":[{"meta'] },
} satisfies Record<string, Answer>;

/** The cluster behind the faults, its history and its writer. */
class FarEnd {
  readonly simulation: EmbeddedCluster;
  readonly writer: Cluster;
  readonly seed: number;
  readonly writes: Write[] = [];

  constructor(seed: number) {
    this.seed = seed;
    this.simulation = startEmbeddedCluster({ clock: new VirtualClock(), seed });
    this.writer = connect(this.simulation.exchange);
  }

  async write(write: Write): Promise<void> {
    this.writes.push(write);
    const ref = { ...configMaps, namespace, name: write.name };
    const there = await this.writer.find(ref);
    if (write.verb === "delete") return void (there && (await this.writer.delete(ref)));
    const data = { writes: String(this.writes.length), of: String(this.seed) };
    const object: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: write.name, namespace }, data };
    return void (await (there ? this.writer.replace({ ...there, data }) : this.writer.create(object)));
  }

  /** A cluster with the first half of the same history, as restored from a backup. */
  async restored(): Promise<FarEnd> {
    const other = new FarEnd(this.seed);
    for (const write of this.writes.slice(0, this.writes.length / 2)) await other.write(write);
    return other;
  }
}

let served: ServedExchange;
let relay: TcpProxy;
const faults = new FaultInjector(async () => answers["503"]);

before(async () => {
  served = await serveExchange(withWholeBodies(faults.exchange), { now: new Date() });
  relay = await tcpProxyTo(Number(new URL(served.url).port));
});
after(async () => {
  await relay.close();
  await served.close();
});

function open(): Transport {
  const { authority, client } = served;
  return openTransport({ server: `https://127.0.0.1:${relay.port}`, authority, certificate: async () => client }, new RealClock());
}

async function turn(times: number): Promise<void> {
  for (let left = times; left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
}

/** The events of an informer during the steps, and the final state of the cluster. */
async function run(steps: readonly Step[]) {
  let far = new FarEnd(1);
  const ends = [far];
  faults.backing = far.simulation.exchange;
  const move = (next: FarEnd) => {
    far = next;
    ends.push(next);
    faults.backing = next.simulation.exchange;
  };
  const transport = open();
  // The clock is accelerated: only the order matters.
  const informer = newInformer(
    connect(transport.exchange, { lostConnections: transport.lostConnections, clock: new RealClock({ speed: 1000 }) }),
    configMaps,
    {
      namespace,
    },
  );
  const emitted: InformerEvent[] = [];
  const reading = (async () => {
    for await (const change of informer) {
      if (change.type === "interrupted") continue;
      emitted.push(change);
      if (change.type === "added" && change.object.metadata.name === "the-end") break;
    }
  })();
  reading.catch(() => undefined); // awaited below
  try {
    await informer.waitForSync();
    for (const step of steps) {
      switch (step.verb) {
        case "put":
        case "delete":
          await far.write(step);
          break;
        case "turn":
          await turn(step.times);
          break;
        case "cut":
          relay.cut();
          break;
        case "restart":
          await relay.goDown();
          await relay.comeUp();
          break;
        case "end":
        case "half":
          faults.failStreams({ type: step.verb });
          break;
        case "garbage line":
          faults.failStreams({ type: "line", line: "}garbage{" });
          break;
        case "not an event":
          faults.failStreams({ type: "line", line: '{"type":"ADDED","object":{"kind":"ConfigMap"}}' });
          break;
        case "answer":
          faults.respondNext(answers[step.answer]);
          break;
        case "expire":
          forgetThePast(Number((await far.writer.list(configMaps)).resourceVersion));
          break;
        case "older":
        case "other":
          await relay.goDown();
          move(step.verb === "older" ? await far.restored() : new FarEnd(far.seed + 1));
          faults.clear();
          await relay.comeUp();
          break;
      }
    }
    faults.clear();
    await far.write({ verb: "put", name: "the-end" });
    await reading;
    const live = await far.writer.list(configMaps, { namespace });
    return { emitted, live: live.items, kept: [...informer.lister.all()] };
  } finally {
    informer.close();
    transport.close();
    for (const { simulation } of ends) simulation.stop();
    faults.clear();
  }
}

/** Drops the server's history, as a compaction does. */
function forgetThePast(now: number): void {
  const gone = { type: "ERROR", object: JSON.parse(status(410, "Expired")) };
  faults.failStreams({ type: "line", line: JSON.stringify(gone) });
  faults.intercept = ({ path }) => {
    const query = new URL(path, "http://server").searchParams;
    const since = Number(query.get("resourceVersion") ?? now);
    return since < now ? { status: 410, headers: json, body: [status(410, "Expired")] } : undefined;
  };
}

const title = ({ metadata: { name, uid, resourceVersion } }: KubeObject) => `${name} ${uid} ${resourceVersion}`;
const byTitle = (a: KubeObject, b: KubeObject) => (title(a) < title(b) ? -1 : 1);

/** The state that a reader derives from the events. Every event must be consistent with it. */
function replayed(emitted: readonly InformerEvent[]): KubeObject[] {
  const objects = new Map<string, KubeObject>();
  for (const change of emitted) {
    if (change.type === "synced" || change.type === "interrupted") continue;
    const { name } = change.object.metadata;
    const known = objects.get(name);
    if (change.type === "added") assert.equal(known, undefined, `${name} was added twice`);
    else assert.equal(known?.metadata.uid, change.object.metadata.uid, `${name} was ${change.type} without having been added`);
    if (change.type === "modified") assert.deepEqual(change.previous, known);
    if (change.type === "deleted") objects.delete(name);
    else objects.set(name, change.object);
  }
  return [...objects.values()];
}

const names = fc.constantFrom("a", "b", "c", "d");
const write = fc.record({ verb: fc.constantFrom("put", "put", "delete"), name: names }) as fc.Arbitrary<Step>;
const pause = fc.record({ verb: fc.constant("turn"), times: fc.nat(30) }) as fc.Arbitrary<Step>;
const transientFault: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ verb: fc.constantFrom("cut", "restart", "end", "half", "garbage line", "not an event") }) as fc.Arbitrary<Step>,
  fc.record({ verb: fc.constant("answer"), answer: fc.constantFrom(...Object.keys(answers)) }) as fc.Arbitrary<Step>,
);
const another = fc.record({ verb: fc.constantFrom("expire", "older", "other") }) as fc.Arbitrary<Step>;
const stepsOf = (...more: { weight: number; arbitrary: fc.Arbitrary<Step> }[]) =>
  fc.array(fc.oneof({ weight: 6, arbitrary: write }, { weight: 3, arbitrary: pause }, ...more), { minLength: 4, maxLength: 30 });

test("whatever happens to connections and answers, every event is emitted once, as the server has it", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(stepsOf({ weight: 3, arbitrary: transientFault }), async (steps) => {
      const { emitted, live } = await run(steps);
      const changes = emitted.flatMap((change) => (change.type === "synced" || change.type === "interrupted" ? [] : [lineFor(change)]));
      const start = emitted.findIndex(({ type }) => type === "synced");
      assert.deepEqual(changes.slice(start), await history(steps, live));
    }),
    { numRuns: 20 },
  );
});

const lineFor = (change: { type: string; object: KubeObject }) => `${change.type} ${title(change.object)}`;

/** The events of the same writes on the same cluster without faults. */
async function history(steps: readonly Step[], live: readonly KubeObject[]): Promise<string[]> {
  const far = new FarEnd(1);
  const { resourceVersion } = await far.writer.list(configMaps);
  for (const step of steps) if (step.verb === "put" || step.verb === "delete") await far.write(step);
  await far.write({ verb: "put", name: "the-end" });
  assert.deepEqual((await far.writer.list(configMaps, { namespace })).items, live, "the same writes give the same cluster");
  const events: string[] = [];
  for await (const batch of await far.writer.openWatch(configMaps, { namespace, resourceVersion })) {
    for (const { type, object } of batch) events.push(lineFor({ type: type.toLowerCase(), object }));
    if (events.at(-1)?.startsWith("added the-end")) break;
  }
  far.simulation.stop();
  return events;
}

test("whatever server comes back, the store matches it, and the events lead there", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(stepsOf({ weight: 2, arbitrary: transientFault }, { weight: 2, arbitrary: another }), async (steps) => {
      const { emitted, live, kept } = await run(steps);
      assert.deepEqual(kept.toSorted(byTitle), live.toSorted(byTitle));
      assert.deepEqual(replayed(emitted).toSorted(byTitle), live.toSorted(byTitle));
    }),
    { numRuns: 20 },
  );
});

test("a watch that ends in its time is not resumed on another server", { timeout: 60_000 }, async () => {
  const [first, second] = [new FarEnd(1), new FarEnd(2)];
  await first.write({ verb: "put", name: "a" });
  for (const name of ["b", "c"] as const) await second.write({ verb: "put", name });
  const between = new FaultInjector(first.simulation.exchange);
  const clock = new VirtualClock();
  let lost = 0;
  const informer = newInformer(connect(between.exchange, { clock, lostConnections: () => lost }), configMaps, { namespace });
  await informer.waitForSync();
  await turn(10); // the watch has begun
  await clock.advance(450_000); // its time has passed
  lost++;
  between.backing = second.simulation.exchange;
  between.failStreams({ type: "end" });
  await clock.settle();
  await turn(10);
  assert.deepEqual(
    [...informer.lister.all()].map(title).toSorted(),
    (await second.writer.list(configMaps, { namespace })).items.map(title),
  );
  informer.close();
  for (const { simulation } of [first, second]) simulation.stop();
});
