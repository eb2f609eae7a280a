import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep, VirtualClock } from "../../core/clock/index.ts";
import type { Exchange } from "../../core/exchange/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { connect, type Cluster } from "../../kube/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import type { Progress } from "../index.ts";
import { deploy, uninstallRelease } from "./index.ts";

const release = { name: "web", namespace: "default" };
const options = (identity: string) => ({ signal: new AbortController().signal, identity });

const objects = (greeting: string) =>
  ["a", "b", "c"]
    .map(
      (name) => `
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}}
data: {greeting: ${greeting}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template: {metadata: {labels: {app: ${name}}}, spec: {containers: [{name: c, image: good}]}}
`,
    )
    .join("---");

async function resultOf(clock: VirtualClock, progress: AsyncIterable<Progress>): Promise<Progress | undefined> {
  let last: Progress | undefined;
  const read = async () => {
    for await (const each of progress) last = each;
  };
  await clock.until(read());
  return last;
}

/** A cluster with three revisions of the release, and a client of it whose every request takes a second. */
async function deployed() {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock });
  const cluster = connect(exchange, { clock });
  for (const greeting of ["hello", "hi", "hey"]) {
    const { manifests } = readManifests(objects(greeting), "web.yaml");
    await resultOf(clock, deploy({ release, manifests }, cluster, options(greeting)));
  }
  const sent: { readonly at: number; readonly request: string }[] = [];
  let startedAt = 0;
  const distant: Exchange = async (request) => {
    const [path = ""] = request.path.split("?");
    const watch = request.path.includes("watch=true") ? " watch" : "";
    sent.push({ at: (clock.now() - startedAt) / 1000, request: `${request.method} ${path.split("/").slice(-2).join("/")}${watch}` });
    await sleep(clock, 1000, request.signal);
    return exchange(request);
  };
  const open = (): Cluster => {
    startedAt = clock.now();
    return connect(distant, { clock });
  };
  const sentAt = (request: RegExp) => sent.filter((each) => request.test(each.request)).map(({ at }) => at);
  return { clock, cluster, open, sentAt };
}

test("a deletion sends its first DELETE five round trips after it has begun", async () => {
  const { clock, open, sentAt } = await deployed();
  const result = await resultOf(clock, uninstallRelease({ release }, open(), options("deleter")));
  assert.deepEqual(result, { type: "done", status: "deleted" });
  // Discovery, the records, the Lease, the records again now that nobody else writes them, and that the deletion has begun.
  assert.deepEqual(sentAt(/DELETE deployments\//), [5, 5, 5]);
  assert.deepEqual(sentAt(/(?:GET|POST) .*leases/), [2], "the Lease is created, and not watched");
  assert.deepEqual(sentAt(/GET .*(?:pods|replicasets)$/), [4, 4], "pods are read while the record is written");
  const [first = 0, ...others] = sentAt(/DELETE secrets\//);
  assert.deepEqual(others, [first, first + 1], "old records go at once, and the latest after them");
});

test("a proposal that fails ends the wait for another holder of the Lease", async () => {
  const { clock, cluster, open } = await deployed();
  const renewTime = new Date(clock.now()).toISOString().replace("Z", "000Z");
  await cluster.create({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name: "sluice.release.web", namespace: "default" },
    spec: { holderIdentity: "another", leaseDurationSeconds: 3600, acquireTime: renewTime, renewTime },
  });
  const distant = open();
  const broken: Cluster = { ...distant, find: () => Promise.reject(new Error("broken")) };
  const startedAt = clock.now();
  const deleting = resultOf(clock, uninstallRelease({ release }, broken, options("deleter")));
  await assert.rejects(deleting, /broken/);
  assert.ok(clock.now() - startedAt < 60_000);
});
