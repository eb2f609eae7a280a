/**
 * The API server of `sluice cluster` beside kube-apiserver with etcd, in the same run: requests per second and the CPU of the
 * server's processes for each request, in JSON and protobuf, over HTTPS and HTTP/2. `--only REGEX` chooses
 * among operations and encodings, such as `get, JSON`.
 */
import { loadavg } from "node:os";
import {
  applyPods,
  createPods,
  getPods,
  idleShareOf,
  listChangedPods,
  listPods,
  measureOperation,
  preparePods,
  type Operation,
  type RequestCost,
} from "./api-operation.ts";
import { encodings, type Encoding } from "./api-pods.ts";
import { withApiSides, type ApiSides } from "./api-side.ts";
import { measureWatch, type WatchLoad } from "./api-watch.ts";
import { reportAtMost, reportNote } from "./report.ts";
import { spreadOf, spreadText } from "./spread.ts";

const rounds = 2;

/** Every watcher has a connection of its own, as programs have; or all share one, as the informers of one program do. */
const watchLoads: readonly WatchLoad[] = [
  { watchers: 100, connections: 100, events: 200, perSecond: 20 },
  { watchers: 100, connections: 100, events: 300, perSecond: "unbounded" },
  { watchers: 50, connections: 1, events: 300, perSecond: "unbounded" },
];

/** Runs the benchmark and prints the ratio, its goal and both figures for each operation. */
export function benchApi(only = /(?:)/): Promise<void> {
  return withApiSides(async (sides) => {
    const idle = { embedded: 0, real: 0 };
    for (const side of ["embedded", "real"] as const) {
      await preparePods(sides[side]);
      idle[side] = await idleShareOf(sides[side]);
      reportNote(`${side}: CPU of an idle server, not counted for requests`, `${(idle[side] * 100).toFixed(1)} % of a core`);
    }
    for (const encoding of Object.keys(encodings) as Encoding[]) {
      const operations = [getPods(2000), listPods(40), listChangedPods(2), createPods(600, encoding), applyPods(600)];
      for (const operation of operations) if (only.test(`${operation.name}, ${encoding}`)) await compare(sides, encoding, operation, idle);
      for (const load of watchLoads) if (only.test(`watch, ${encoding}`)) await compareWatches(sides, encoding, load);
    }
    reportNote("load of the machine", loadavg()[0]!.toFixed(1));
  });
}

/** Takes the better of some rounds; the first warms up. */
async function compare(
  sides: ApiSides,
  encoding: Encoding,
  operation: Operation,
  idle: Readonly<Record<keyof ApiSides, number>>,
): Promise<void> {
  const best = { embedded: { cpuMs: Infinity, perSecond: 0 }, real: { cpuMs: Infinity, perSecond: 0 } };
  for (let round = 0; round <= rounds; round++) {
    for (const side of ["real", "embedded"] as const) {
      const cost = await measureOperation(sides[side], encoding, operation, idle[side]);
      if (round === 0) continue;
      best[side] = { cpuMs: Math.min(best[side].cpuMs, cost.cpuMs), perSecond: Math.max(best[side].perSecond, cost.perSecond) };
    }
  }
  const { embedded, real } = best;
  reportAtMost(`${operation.name}, ${encoding}: CPU, times of the real`, embedded.cpuMs / real.cpuMs, 1, "x");
  reportNote("CPU for a request, and requests per second", `embedded ${costText(embedded)}; real ${costText(real)}`);
}

function costText({ cpuMs, perSecond }: RequestCost): string {
  return `${Math.round(cpuMs * 1000)} µs, ${Math.round(perSecond)}/s`;
}

function micros(cpuMs: number): string {
  return `${(cpuMs * 1000).toFixed(1)} µs`;
}

async function compareWatches(sides: ApiSides, encoding: Encoding, load: WatchLoad): Promise<void> {
  const warmUp = { ...load, perSecond: "unbounded", events: 100 } as const;
  for (const side of Object.values(sides)) await measureWatch(side, encoding, warmUp);
  const real = await measureWatch(sides.real, encoding, load);
  const embedded = await measureWatch(sides.embedded, encoding, load);
  const { watchers, connections, perSecond } = load;
  const rate = perSecond === "unbounded" ? "burst" : `${perSecond} events/s`;
  const what = `watch, ${watchers} on ${connections}, ${rate}, ${encoding}`;
  const [ours, theirs] = [spreadOf(embedded.deliveryMs), spreadOf(real.deliveryMs)];
  reportAtMost(`${what}: CPU, times of the real`, embedded.cpuMs / real.cpuMs, 1, "x");
  reportNote("CPU for an event at a watcher", `embedded ${micros(embedded.cpuMs)}; real ${micros(real.cpuMs)}`);
  reportAtMost(`${what}: 99 % of deliveries, times of the real`, ours.p99 / theirs.p99, 1, "x");
  reportNote("delivery", `embedded ${spreadText(ours)}; real ${spreadText(theirs)}`);
}
