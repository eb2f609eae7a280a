import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { connect, type Cluster } from "../../kube/index.ts";
import { titleOf } from "../../core/object/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { readManifests, type LocatedManifest } from "../../lang/yaml/index.ts";
import { deploy, uninstallRelease } from "../deploy/index.ts";
import type { Progress } from "../progress.ts";
import { waitChainsFrom, why } from "../why/index.ts";
import { readRevisions, readRolloutStatus, readReleaseStatus } from "./index.ts";

const release = { name: "web", namespace: "default" };
const { signal } = new AbortController();
let identities = 0;

type Lab = { readonly clock: VirtualClock; readonly cluster: Cluster };

function lab(): Lab {
  const clock = new VirtualClock();
  return { clock, cluster: connect(startEmbeddedCluster({ clock }).exchange, { clock }) };
}

function read(yaml: string): readonly LocatedManifest[] {
  const { manifests, problems } = readManifests(yaml, "web.yaml");
  assert.deepEqual(problems, []);
  return manifests;
}

const configMap = (name: string, annotations = "{}", value = "1", finalizers = "[]") =>
  `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, finalizers: ${finalizers}, annotations: ${annotations}}\ndata: {v: "${value}"}\n`;
const job = (name: string, annotations: string, more = "") => `---
apiVersion: batch/v1
kind: Job
metadata: {name: ${name}, annotations: ${annotations}}
spec: {${more} template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}
`;
const statefulSet = (annotations: string, pod: string) => `---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, annotations: ${annotations}}
spec: {serviceName: db, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}, annotations: ${pod}}, spec: {containers: [{name: c, image: db, resources: {requests: {cpu: 100m}}}]}}}
`;
const unschedulable = statefulSet('{werf.io/weight: "-2"}', "{sim.sluice.dev/unschedulable: no node is large enough}");
const slow = statefulSet('{werf.io/weight: "-2"}', "{sim.sluice.dev/ready-after: never}");

/** Deploys until `until` returns true, and then kills the deploy. */
async function deployed({ clock, cluster }: Lab, yaml: string, until: (event: Progress) => boolean = () => false): Promise<void> {
  const stop = new AbortController();
  const events = deploy({ release, manifests: read(yaml) }, cluster, { signal: stop.signal, identity: `tester-${++identities}` });
  const follow = async () => {
    for await (const event of events) if (until(event)) stop.abort();
  };
  await clock.until(follow().catch(() => undefined));
}

async function statusOf({ clock, cluster }: Lab): Promise<{ readonly lines: readonly string[]; readonly ready: boolean }> {
  const found = await clock.until(readReleaseStatus(release, cluster, { signal }));
  const lines = found.objects.map(({ ref, state, because = "" }) => `${titleOf(ref)} ${state}${because === "" ? "" : `: ${because}`}`);
  return { lines: [`${found.revision.revision} ${found.revision.state}`, ...lines], ready: found.ready };
}

/** Every chain of every waiting object: `job/migrate < statefulset/db: reason`. */
async function whyOf({ clock, cluster }: Lab): Promise<readonly string[]> {
  const account = why(await clock.until(readRolloutStatus(release, cluster, { signal })));
  return account.waiting.flatMap(({ id }) =>
    waitChainsFrom(account, id).map((chain) => `${chain.map(({ ref }) => titleOf(ref)).join(" < ")}: ${chain.at(-1)!.because}`),
  );
}

const outside = (name: string, resource: string) => `{${name}.external-dependency.werf.io/resource: ${resource}}`;
const waits = (event: Progress) => event.type === "waiting" && event.verb === "await";

test("a release that is deployed and ready", async () => {
  const at = lab();
  await deployed(at, configMap("a") + job("j", "{}", "ttlSecondsAfterFinished: 1,") + job("h", "{helm.sh/hook: post-install}"));
  await at.clock.advance(60_000);
  assert.deepEqual(await statusOf(at), {
    lines: ["1 deployed", "configmap/a ready", "job/j ready: it has done its part and is gone"],
    ready: true,
  });
  assert.deepEqual(await whyOf(at), []);
});

test("an object that was deleted since is missing", async () => {
  const at = lab();
  await deployed(at, configMap("a") + configMap("b"));
  await at.clock.until(at.cluster.delete({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "b" }));
  const { lines, ready } = await statusOf(at);
  assert.deepEqual(lines, ["1 deployed", "configmap/a ready", "configmap/b missing: it does not exist"]);
  assert.equal(ready, false);
  assert.deepEqual(await whyOf(at), ["configmap/b: it does not exist; deploy the release again"]);
});

test("a failed deploy: down to the pod", async () => {
  const at = lab();
  await deployed(at, unschedulable + job("migrate", '{werf.io/weight: "-1"}') + configMap("app"));
  const reason =
    "0 of 1 replicas ready; pod db-0 cannot be scheduled: 0/1 nodes are available: 1 no node is large enough. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";
  assert.deepEqual(await statusOf(at), {
    lines: [
      "1 failed",
      `statefulset/db failed: ${reason}`,
      "job/migrate missing: it does not exist",
      "configmap/app missing: it does not exist",
    ],
    ready: false,
  });
  assert.deepEqual(await whyOf(at), [
    `statefulset/db: ${reason}`,
    `job/migrate < statefulset/db: ${reason}`,
    `configmap/app < job/migrate < statefulset/db: ${reason}`,
  ]);
});

test("the Lease holder is reported", async () => {
  const at = lab();
  const stop = new AbortController();
  const events = deploy({ release, manifests: read(slow) }, at.cluster, { signal: stop.signal, identity: "tester" });
  const look = async () => {
    for await (const event of events) if (waits(event)) return await readReleaseStatus(release, at.cluster, { signal });
    return undefined;
  };
  const found = await at.clock.until(look());
  assert.equal(found?.revision.state, "pending-install");
  assert.deepEqual([found?.holder?.name, found?.holder?.silent], ["tester", false]);
});

test("an expired or dead Lease holder is reported as silent", async () => {
  const at = lab();
  await deployed(at, configMap("a"));
  const spec = { holderIdentity: "ghost", leaseDurationSeconds: 15, acquireTime: "2000-01-01T00:00:00.000000Z" };
  const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "sluice.release.web", namespace: "default" } };
  const held = async (renewTime: string, hasDied?: () => boolean) => {
    await at.clock.until(at.cluster.apply({ ...lease, spec: { ...spec, renewTime } }));
    const found = await at.clock.until(readReleaseStatus(release, at.cluster, { signal, ...(hasDied === undefined ? {} : { hasDied }) }));
    return [found.holder?.name, found.holder?.silent];
  };
  const now = () => new Date(at.clock.now()).toISOString().replace("Z", "000Z");
  assert.deepEqual(await held(now()), ["ghost", false]);
  assert.deepEqual(await held(now(), () => true), ["ghost", true]);
  assert.deepEqual(await held("2000-01-01T00:00:00.000000Z"), ["ghost", true]);
});

test("a stopped deploy is explained by what it waited for", async () => {
  const at = lab();
  await deployed(at, slow + configMap("app"), waits);
  await at.clock.advance(60_000);
  const [first, second] = await whyOf(at);
  assert.match(first!, /^statefulset\/db: 0 of 1 replicas ready/);
  assert.match(second!, /^configmap\/app < statefulset\/db: 0 of 1 replicas ready/);
});

test("an upgrade that waits: what is there is not yet what is wanted, and what left has not gone", async () => {
  const at = lab();
  await deployed(at, configMap("app") + configMap("old"));
  await deployed(at, slow + configMap("app", "{}", "2"), waits);
  const lines = await whyOf(at);
  assert.deepEqual(
    lines.map((line) => line.split(":")[0]),
    ["statefulset/db", "configmap/app < statefulset/db", "configmap/old < configmap/app < statefulset/db"],
  );
  assert.deepEqual((await statusOf(at)).lines.slice(-2), ["configmap/app ready", "configmap/old ready"]);
});

test("what is to be created where an old one is being deleted waits for that one's finalizers", async () => {
  const at = lab();
  const ref = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "fin" };
  const [old] = read(configMap("fin", "{}", "1", "[example.com/hold]"));
  await at.clock.until(at.cluster.create(old!.object));
  await at.clock.until(at.cluster.delete(ref));
  await at.clock.advance(5000);
  const stop = new AbortController();
  const events = deploy({ release, manifests: read(configMap("fin", "{}", "2")) }, at.cluster, { signal: stop.signal, identity: "tester" });
  const look = async () => {
    for await (const event of events)
      if (event.type === "waiting") return why(await readRolloutStatus(release, at.cluster, { signal })).waiting;
    return undefined;
  };
  const held = "the old one is to go first: being deleted, kept by the finalizers example.com/hold";
  assert.deepEqual(
    (await at.clock.until(look()))?.map(({ lacks, because }) => [lacks, because]),
    [["applied", held]],
  );
  stop.abort();
  await at.clock.advance(60_000);
  const idle = "the same command carries it on";
  assert.deepEqual(await whyOf(at), [`configmap/fin: ${held}; ${idle}`]);
});

test("replicas that were given at creation only are what they are by now", async () => {
  const at = lab();
  const app = `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: app, annotations: {werf.io/replicas-on-creation: "2"}}
spec: {selector: {matchLabels: {app: app}}, template: {metadata: {labels: {app: app}}, spec: {containers: [{name: c, image: app}]}}}
`;
  await deployed(at, app + slow.replace("-2", "2"), (event) => waits(event) && "ref" in event && event.ref.name === "db");
  const lines = await whyOf(at);
  assert.deepEqual(
    lines.map((line) => line.split(":")[0]),
    ["statefulset/db"],
  );
});

test("the hook of an earlier run does not count", async () => {
  const at = lab();
  const hooks =
    job("first", "{helm.sh/hook: pre-upgrade, helm.sh/hook-weight: '-1'}") + job("second", "{helm.sh/hook: 'pre-install,pre-upgrade'}");
  await deployed(at, hooks + configMap("app"));
  await at.clock.advance(60_000);
  await deployed(at, hooks + configMap("app", "{}", "2"), waits);
  const lines = await whyOf(at);
  assert.deepEqual(
    lines.map((line) => line.split(":")[0]),
    ["job/first", "job/second < job/first", "configmap/app < job/second < job/first"],
  );
});

test("what is outside and missing, of a kind that is there and of one that is not", async () => {
  const at = lab();
  await deployed(at, configMap("app", outside("vault", "secrets/vault")), waits);
  assert.deepEqual(await whyOf(at), ["secret/vault: it does not exist", "configmap/app < secret/vault: it does not exist"]);
  const other = lab();
  await deployed(other, configMap("app", outside("tls", "certificates.cert-manager.io/tls")), (event) => event.type === "waiting");
  const because = "the cluster does not serve certificates.cert-manager.io";
  assert.deepEqual(await whyOf(other), [`certificates/tls: ${because}`, `configmap/app < certificates/tls: ${because}`]);
});

/** Deletes the release until it waits with this reason, and then kills the deletion. */
async function deleted({ clock, cluster }: Lab, reason: string): Promise<void> {
  const stop = new AbortController();
  const events = uninstallRelease({ release }, cluster, { signal: stop.signal, identity: "remover" });
  const follow = async () => {
    for await (const event of events) if (event.type === "waiting" && event.because.includes(reason)) stop.abort();
  };
  await clock.until(follow().catch(() => undefined));
}

test("a deletion waits for a finalizer", async () => {
  const at = lab();
  await deployed(at, configMap("base", '{werf.io/weight: "-1"}') + configMap("app", "{}", "1", "[example.com/hold]"));
  await deleted(at, "finalizers");
  const because = "being deleted, kept by the finalizers example.com/hold";
  assert.deepEqual(await whyOf(at), [`configmap/app: ${because}`, `configmap/base < configmap/app: ${because}`]);
  assert.equal((await statusOf(at)).ready, false);
});

test("a deletion waits for the pods of a workload that is gone", async () => {
  const at = lab();
  const held = statefulSet("{}", "{}").replace("labels: {app: db}, ann", "labels: {app: db}, finalizers: [example.com/hold], ann");
  await deployed(at, configMap("base", '{werf.io/weight: "-1"}') + held);
  await deleted(at, "it is gone, but not");
  const because = "pod/db-0 is still there";
  assert.deepEqual(await whyOf(at), [`statefulset/db: ${because}`, `configmap/base < statefulset/db: ${because}`]);
});

test("a pod that a quota denies is reported by its event", async () => {
  const at = lab();
  const quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: none, namespace: default}\nspec: {hard: {pods: '0'}}\n";
  await at.clock.until(at.cluster.apply(read(quota)[0]!.object));
  await at.clock.advance(1000);
  await deployed(at, statefulSet("{}", "{}"));
  assert.match((await statusOf(at)).lines[1]!, /^statefulset\/db failed: .*exceeded quota: none/);
});

test("a missing release is reported with its other namespaces", async () => {
  const at = lab();
  await deployed(at, configMap("a"));
  const reading = (namespace: string, name: string) => at.clock.until(readRevisions({ name, namespace }, at.cluster, { signal }));
  await assert.rejects(reading("kube-system", "web"), {
    message:
      "find release web in kube-system: there is no such release: there is one of that name in default: choose its namespace with -n",
  });
  await assert.rejects(reading("default", "wob"), {
    message: "find release wob in default: there is no such release: sluice list -A shows all there are",
  });
});

/** A deployed release, and the cluster as somebody sees it who may not read what has this in its path. */
async function visitorWithout(path: string): Promise<{ readonly clock: VirtualClock; readonly cluster: Cluster }> {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock });
  const status = { apiVersion: "v1", kind: "Status", status: "Failure", code: 403, reason: "Forbidden", message: "not for you" };
  const forbidden = { status: 403, headers: { "content-type": "application/json" }, body: [JSON.stringify(status)] };
  await deployed({ clock, cluster: connect(exchange, { clock }) }, configMap("a"));
  return { clock, cluster: connect(async (request) => (request.path.includes(path) ? forbidden : exchange(request)), { clock }) };
}

test("whoever may not read Leases, as with the role view, learns all but who is at work", async () => {
  const visitor = await visitorWithout("/leases");
  assert.deepEqual(await statusOf(visitor), { lines: ["1 deployed", "configmap/a ready"], ready: true });
  assert.deepEqual(await whyOf(visitor), []);
});

test("what may not be read is not said to be missing", async () => {
  const visitor = await visitorWithout("/configmaps/a");
  assert.deepEqual(await statusOf(visitor), {
    lines: ["1 deployed", "configmap/a progressing: it cannot be looked at: not for you"],
    ready: false,
  });
  assert.deepEqual(await whyOf(visitor), ["configmap/a: it cannot be looked at: not for you; deploy the release again"]);
});
