/** What the dashboard's server takes: for 20 visitors beyond their informers, for 1,000 idle streams, and until a change has arrived. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { RealClock } from "../src/core/clock/index.ts";
import { stringAt, type KubeObject } from "../src/core/object/index.ts";
import { createDashboard, TokenSignIn } from "../src/dashboard/index.ts";
import { withoutContent } from "../src/dashboard/overview/record-outline.ts";
import { SharedInformers } from "../src/dashboard/shared-informers.ts";
import { startEmbeddedCluster } from "../src/embedded/index.ts";
import { connect, type Cluster } from "../src/kube/index.ts";
import { serveHandler } from "../src/server/index.ts";
import { reportAtMost, reportNote } from "./report.ts";

const [visitors, releases, streamsOfEach, changes] = [20, 2000, 50, 200];
const secret = { group: "", version: "v1", kind: "Secret" };
const mib = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

function record(name: string): KubeObject {
  const labels = { owner: "helm", name, status: "deployed", version: "1" };
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: `sh.helm.release.v1.${name}.v1`, namespace: "default", labels },
    type: "helm.sh/release.v1",
    data: { release: "" },
  };
}

/** What is in use after a collection: objects, and bytes outside of the heap. */
function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function readerToken(cluster: Cluster): Promise<string> {
  const rbac = "rbac.authorization.k8s.io";
  const metadata = { name: "reader", namespace: "default" };
  await cluster.create({ apiVersion: "v1", kind: "ServiceAccount", metadata });
  await cluster.create({
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: "reader" },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "ServiceAccount", ...metadata }],
  });
  const under = { group: "", version: "v1", kind: "ServiceAccount", ...metadata };
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata: { name: "reader" }, spec: {} };
  return stringAt(await cluster.create(request, { under, subresource: "token" }), "status.token", "");
}

/** The bytes of the informers that the visitors' views need, and nothing else. */
async function informerBytes(connectAs: (token: string) => Cluster, token: string): Promise<number> {
  const before = usedBytes();
  const stop = new AbortController();
  const kept = Array.from({ length: visitors }, () => {
    const informer = new SharedInformers(connectAs(token)).use(
      secret,
      { labelSelector: "owner=helm", transform: withoutContent },
      stop.signal,
    );
    const reader = informer[Symbol.asyncIterator]();
    void (async () => {
      for (let next = await reader.next(); next.done !== true; next = await reader.next());
    })();
    return informer;
  });
  while (kept.some(({ lister }) => lister.size < releases)) await pause(50);
  await pause(500);
  const bytes = usedBytes() - before;
  stop.abort();
  await pause(500);
  return bytes;
}

async function openStreams(url: string, count: number, cookies: readonly string[]): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, "dashboard-clients.ts"), [url, String(count), ...cookies]);
  await once(child, "message");
  await pause(1500);
  return child;
}

async function signIn(url: string, token: string): Promise<string> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/api/session`, { method: "POST", headers, body: JSON.stringify({ token }) });
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

/** From the start of a write until its message has arrived at a client, in ms. */
async function arrivalTimes(url: string, cookie: string, cluster: Cluster): Promise<readonly number[]> {
  const stop = new AbortController();
  const answer = await fetch(`${url}/api/stream?view=${encodeURIComponent("/c/prod")}`, { headers: { cookie }, signal: stop.signal });
  if (!answer.ok) throw new Error(`the stream is refused: ${answer.status}`);
  const waiting = new Map<string, (at: number) => void>();
  void (async () => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of answer.body ?? []) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const [name] of lines.join("").matchAll(/latency-\d+-/g)) waiting.get(name)?.(performance.now());
    }
  })().catch(() => undefined);
  await pause(1500);
  const times: number[] = [];
  for (let count = 0; count < changes; count++) {
    const name = `latency-${count}-x`;
    const arrived = new Promise<number>((resolve) => waiting.set(`latency-${count}-`, resolve));
    const startedAt = performance.now();
    await cluster.create(record(name));
    times.push((await arrived) - startedAt);
  }
  stop.abort();
  return times.toSorted((a, b) => a - b);
}

export async function benchDashboard(): Promise<void> {
  const clock = new RealClock();
  const { exchange, stop } = startEmbeddedCluster({ clock });
  const cluster = connect(exchange, { clock });
  for (let count = 0; count < releases; count++) await cluster.create(record(`app-${count}`));
  const token = await readerToken(cluster);
  const connectAs = (bearer: string) =>
    connect((request) => exchange({ ...request, headers: { ...request.headers, authorization: `Bearer ${bearer}` } }), { clock });
  const informers = await informerBytes(connectAs, token);
  const before = usedBytes();
  const signingIn = new TokenSignIn({ clock, context: "prod", connectAs, maxSessionMs: 3_600_000 });
  const dashboard = createDashboard({ clock, signIn: signingIn, page: [], hosts: () => ["127.0.0.1"], version: "" });
  const served = await serveHandler(dashboard.handler, { clock });
  const cookies = await Promise.all(Array.from({ length: visitors }, () => signIn(served.url, token)));
  const tabs = await openStreams(served.url, 1, cookies);
  const looked = usedBytes() - before;
  reportNote(`${visitors} visitors of ${releases} releases, with their informers`, mib(looked));
  reportNote("their informers alone", mib(informers));
  reportAtMost("what the server takes beyond the informers", (looked - informers) / 1024 / 1024, 50, " MiB");
  const idle = await openStreams(served.url, streamsOfEach - 1, cookies);
  const streams = dashboard.streams() - visitors;
  const more = usedBytes() - before - looked;
  reportNote(`${streams} further streams that wait`, `${mib(more)}, ${(more / streams / 1024).toFixed(1)} KiB each`);
  idle.kill();
  while (dashboard.streams() > visitors) await pause(50);
  const times = await arrivalTimes(served.url, cookies[0] ?? "", cluster);
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
  reportAtMost("from a change in the cluster to its message at a client, median", at(0.5), 200, " ms");
  reportAtMost("the same at 99 %", at(0.99), 500, " ms");
  tabs.kill();
  dashboard.close();
  await served.close();
  stop();
}
