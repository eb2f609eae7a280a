import { ApiConnection } from "./api-client.ts";
import { applyPod, pathOf } from "./api-operation.ts";
import type { Encoding } from "./api-pods.ts";
import type { ApiSide } from "./api-side.ts";

export type WatchLoad = {
  readonly watchers: number;
  /** Among how many connections the watchers are shared. */
  readonly connections: number;
  readonly events: number;
  /** Writes come evenly, so many in a second, or as fast as the writers can send them. */
  readonly perSecond: number | "unbounded";
};

/** The CPU of an API server for one event at one watcher, with its part of the write; and how long each delivery took. */
export type WatchCost = { readonly cpuMs: number; readonly deliveryMs: readonly number[] };

const namespace = "watched";
/** Writers have a Pod each, so that they do not wait for one another. */
const pods = Array.from({ length: 8 }, (_, index) => `watched-${index}`);
const deliveredWithinMs = 60_000;

/** Has many watchers see each write to some Pods of a namespace. The n-th event is timed from the n-th write. */
export async function measureWatch(side: ApiSide, encoding: Encoding, load: WatchLoad): Promise<WatchCost> {
  const { watchers, events } = load;
  const writer = new ApiConnection(side.kubeconfig, encoding);
  const connections = Array.from({ length: load.connections }, () => new ApiConnection(side.kubeconfig, encoding));
  const sentAt: number[] = [];
  const deliveryMs: number[] = [];
  const complete = Promise.withResolvers<void>();
  const onEvent = (index: number) => {
    if (deliveryMs.push(performance.now() - sentAt[index]!) === watchers * events) complete.resolve();
  };
  const late = setTimeout(
    () => complete.reject(new Error(`${deliveryMs.length} of ${watchers * events} events have come`)),
    deliveredWithinMs,
  );
  try {
    for (const name of pods) await applyPod(writer, { namespace, name }, 0);
    await Promise.all(Array.from({ length: watchers }, (_, index) => firstEvents(connections[index % connections.length]!, onEvent)));
    const cpuBefore = side.cpuMs();
    await writePods(writer, load, sentAt);
    await complete.promise;
    return { cpuMs: (side.cpuMs() - cpuBefore) / (watchers * events), deliveryMs };
  } finally {
    clearTimeout(late);
    for (const connection of [writer, ...connections]) connection.close();
  }
}

/** Changes the Pods in turn, and notes when. */
async function writePods(writer: ApiConnection, { events, perSecond }: WatchLoad, sentAt: number[]): Promise<void> {
  const startedAt = performance.now();
  let next = 0;
  const writeOne = async (name: string) => {
    for (let index = next++; index < events; index = next++) {
      if (perSecond !== "unbounded") await until(startedAt + (index * 1000) / perSecond);
      sentAt[index] = performance.now();
      const body = Buffer.from(JSON.stringify({ metadata: { annotations: { "example.com/round": `${startedAt}-${index}` } } }));
      await writer.send({ method: "PATCH", path: pathOf(namespace, name), body, contentType: "application/merge-patch+json" });
    }
  };
  await Promise.all(pods.map(writeOne));
}

/** Resolves when a watch has told of the Pods that are there. Later events are counted from 0 on. */
function firstEvents(connection: ApiConnection, onEvent: (index: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = 0;
    const count = () => {
      seen += 1;
      if (seen === pods.length) resolve();
      else if (seen > pods.length) onEvent(seen - pods.length - 1);
    };
    connection.watch(`${pathOf(namespace)}?watch=true`, count).catch(reject);
  });
}

function until(time: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, Math.max(0, time - performance.now())));
}
