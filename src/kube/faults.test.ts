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

const configMaps = { group: "", version: "v1", kind: "ConfigMap" };
const namespace = "default";

/** A write by somebody else, which takes no trouble with the network. */
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

/** The cluster at the far end, its past, and whoever writes to it. */
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

  /** A cluster with the first half of the same past, as a backup would bring it back. */
  async restored(): Promise<FarEnd> {
    const other = new FarEnd(this.seed);
    for (const write of this.writes.slice(0, this.writes.length / 2)) await other.write(write);
    return other;
  }
}

let served: ServedExchange;
let relay: TcpProxy;
const trouble = new FaultInjector(async () => answers["503"]);

before(async () => {
  served = await serveExchange(trouble.exchange, { now: new Date() });
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

/** What an informer tells while the steps are taken, and what the cluster is like in the end. */
async function play(steps: readonly Step[]) {
  let far = new FarEnd(1);
  const ends = [far];
  trouble.backing = far.simulation.exchange;
  const move = (next: FarEnd) => {
    far = next;
    ends.push(next);
    trouble.backing = next.simulation.exchange;
  };
  const transport = open();
  // Waits shrink to a thousandth: what matters is the order of things.
  const informer = newInformer(
    connect(transport.exchange, { lostConnections: transport.lostConnections, clock: new RealClock({ speed: 1000 }) }),
    configMaps,
    {
      namespace,
    },
  );
  const told: InformerEvent[] = [];
  const reading = (async () => {
    for await (const change of informer) {
      if (change.type === "interrupted") continue;
      told.push(change);
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
          trouble.failStreams({ type: step.verb });
          break;
        case "garbage line":
          trouble.failStreams({ type: "line", line: "}garbage{" });
          break;
        case "not an event":
          trouble.failStreams({ type: "line", line: '{"type":"ADDED","object":{"kind":"ConfigMap"}}' });
          break;
        case "answer":
          trouble.respondNext(answers[step.answer]);
          break;
        case "expire":
          forgetThePast(Number((await far.writer.list(configMaps)).resourceVersion));
          break;
        case "older":
        case "other":
          await relay.goDown();
          move(step.verb === "older" ? await far.restored() : new FarEnd(far.seed + 1));
          trouble.clear();
          await relay.comeUp();
          break;
      }
    }
    trouble.clear();
    await far.write({ verb: "put", name: "the-end" });
    await reading;
    const live = await far.writer.list(configMaps, { namespace });
    return { told, live: live.items, kept: [...informer.lister.all()] };
  } finally {
    informer.close();
    transport.close();
    for (const { simulation } of ends) simulation.stop();
    trouble.clear();
  }
}

/** From here on the server knows nothing of what was before now, as after a compaction. */
function forgetThePast(now: number): void {
  const gone = { type: "ERROR", object: JSON.parse(status(410, "Expired")) };
  trouble.failStreams({ type: "line", line: JSON.stringify(gone) });
  trouble.intercept = ({ path }) => {
    const query = new URL(path, "http://server").searchParams;
    const since = Number(query.get("resourceVersion") ?? now);
    return since < now ? { status: 410, headers: json, body: [status(410, "Expired")] } : undefined;
  };
}

const title = ({ metadata: { name, uid, resourceVersion } }: KubeObject) => `${name} ${uid} ${resourceVersion}`;
const byTitle = (a: KubeObject, b: KubeObject) => (title(a) < title(b) ? -1 : 1);

/** What a reader who only hears the changes takes the cluster for; nothing may be told of what is not so. */
function replayed(told: readonly InformerEvent[]): KubeObject[] {
  const objects = new Map<string, KubeObject>();
  for (const change of told) {
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
const passing: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ verb: fc.constantFrom("cut", "restart", "end", "half", "garbage line", "not an event") }) as fc.Arbitrary<Step>,
  fc.record({ verb: fc.constant("answer"), answer: fc.constantFrom(...Object.keys(answers)) }) as fc.Arbitrary<Step>,
);
const another = fc.record({ verb: fc.constantFrom("expire", "older", "other") }) as fc.Arbitrary<Step>;
const stepsOf = (...more: { weight: number; arbitrary: fc.Arbitrary<Step> }[]) =>
  fc.array(fc.oneof({ weight: 6, arbitrary: write }, { weight: 3, arbitrary: pause }, ...more), { minLength: 4, maxLength: 30 });

test("whatever happens to connections and answers, every event is told once, as the server has it", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(stepsOf({ weight: 3, arbitrary: passing }), async (steps) => {
      const { told, live } = await play(steps);
      const heard = told.flatMap((change) => (change.type === "synced" || change.type === "interrupted" ? [] : [lineFor(change)]));
      const start = told.findIndex(({ type }) => type === "synced");
      assert.deepEqual(heard.slice(start), await history(steps, live));
    }),
    { numRuns: 20 },
  );
});

const lineFor = (change: { type: string; object: KubeObject }) => `${change.type} ${title(change.object)}`;

/** The same writes on the same cluster without any trouble, as a single stream tells of them. */
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

test("whatever server comes back, the copy becomes what it has, and what is told leads there", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(stepsOf({ weight: 2, arbitrary: passing }, { weight: 2, arbitrary: another }), async (steps) => {
      const { told, live, kept } = await play(steps);
      assert.deepEqual(kept.toSorted(byTitle), live.toSorted(byTitle));
      assert.deepEqual(replayed(told).toSorted(byTitle), live.toSorted(byTitle));
    }),
    { numRuns: 20 },
  );
});
