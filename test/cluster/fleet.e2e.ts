/** A fleet of real control planes: one management cluster and two managed clusters. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { sveltosCrds, gvkOf } from "../../src/sveltos/api/index.ts";
import { RealClock, sleep } from "../../src/core/clock/index.ts";
import {
  deregister,
  Fleet,
  generateKubeconfig,
  isClusterReady,
  networkOpener,
  register,
  type FleetCluster,
} from "../../src/sveltos/fleet/index.ts";
import { openCluster, thisMachine, waitForKind } from "../../src/kube/index.ts";
import { stringAt } from "../../src/core/object/index.ts";
import { runLeaderElection, ShardCoordinator } from "../../src/reconcile/index.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { startFleet } from "./start-cluster.ts";

const program = process.env[environmentVariables.kubectl] ?? "";
const clock = new RealClock();
const running = await startFleet(program);
const opened = await openCluster({ kubeconfig: running.management.kubeconfig });
const { cluster: hub } = opened;
const stop = new AbortController();
const { signal } = stop;
const fleet = new Fleet(hub, { open: networkOpener(thisMachine(), clock) });
const limits = { timeout: 120_000 };
const namespace = "mgmt";

for (const crd of sveltosCrds()) await hub.create(crd);
await waitForKind(hub, gvkOf("SveltosCluster"));
const following = fleet.run(signal);

after(async () => {
  stop.abort();
  await following;
  opened.close();
  await running.stop();
});

/** Waits for a change of the fleet after which `holds` is true. */
async function until(holds: (clusters: readonly FleetCluster[]) => boolean): Promise<void> {
  for await (const _ of fleet.events(signal)) if (holds(fleet.clusters())) return;
}

const readyNames = (clusters: readonly FleetCluster[]) =>
  clusters
    .filter(isClusterReady)
    .map(({ managed }) => managed.name)
    .join();

test("clusters that are registered become ready, each with its own content", limits, async () => {
  const [one, two] = running.managed;
  const texts = [one!, two!].map(({ kubeconfig }) => readFileSync(kubeconfig, "utf8"));
  await register(hub, { namespace, name: "one", kubeconfig: texts[0]!, labels: { env: "fv" } }, signal);
  await register(hub, { namespace, name: "two", kubeconfig: texts[1]! }, signal);
  await until((clusters) => readyNames(clusters) === "one,two");
  const [first, second] = fleet.clusters();
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "mine", namespace: "default" } };
  await first!.connection!.cluster.create(map);
  const ref = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "mine" };
  assert.equal(await second!.connection!.cluster.find(ref), undefined);
  assert.equal(await hub.find(ref), undefined);
  const status = await hub.get({ ...gvkOf("SveltosCluster"), namespace, name: "one" });
  assert.partialDeepStrictEqual(status["status"], { ready: true, connectionStatus: "Healthy", connectionFailures: 0 });
});

for (const lasting of [false, true]) {
  test(`a kubeconfig with a ${lasting ? "lasting" : "passing"} token is enough to manage a cluster`, limits, async () => {
    const [one] = running.managed;
    const admin = await openCluster({ kubeconfig: one!.kubeconfig });
    const account = lasting ? { serviceAccount: "lasting" } : {};
    const kubeconfig = await generateKubeconfig(admin.cluster, { server: one!.server, create: true, lasting, signal, ...account });
    admin.close();
    await register(hub, { namespace, name: "token", kubeconfig }, signal);
    await until((clusters) => readyNames(clusters) === "one,token,two");
    const { cluster } = fleet.find("Sveltos/mgmt/token")!.connection!;
    assert.ok((await cluster.list({ group: "", version: "v1", kind: "Secret" })).items.length >= 0);
    await deregister(hub, { namespace, name: "token" }, signal);
    await until((clusters) => readyNames(clusters) === "one,two");
  });
}

test("a token that is not accepted is reported, and a cluster that comes back is ready again", limits, async () => {
  const [, two] = running.managed;
  const good = readFileSync(two!.kubeconfig, "utf8");
  const wrong = JSON.stringify({
    kind: "Config",
    "current-context": "x",
    clusters: [
      {
        name: "c",
        cluster: {
          server: two!.server,
          "certificate-authority-data": Buffer.from(two!.credentials.authority.certificate).toString("base64"),
        },
      },
    ],
    users: [{ name: "u", user: { token: "expired" } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
  });
  await register(hub, { namespace, name: "two", kubeconfig: wrong }, signal);
  await until((clusters) => readyNames(clusters) === "one");
  const { reachability } = fleet.find("Sveltos/mgmt/two")!;
  assert.match(reachability.state === "unreachable" ? reachability.because : "", /credentials are not accepted/);
  await register(hub, { namespace, name: "two", kubeconfig: good }, signal);
  await until((clusters) => readyNames(clusters) === "one,two");
});

const work = (_: string, each: AbortSignal) =>
  new Promise<void>((resolve) => each.addEventListener("abort", () => resolve(), { once: true }));

test("replicas share keys on a real control plane, and one leads", limits, async () => {
  const group = { namespace: "default", name: "sluice" };
  const keys = ["a", "b", "c", "d", "e", "f"];
  const stops = [new AbortController(), new AbortController()];
  const replicas = stops.map((_, index) => new ShardCoordinator(hub, { group, identity: `replica ${index}`, work }));
  for (const replica of replicas) for (const key of keys) replica.add(key);
  const runs = replicas.map((replica, index) => replica.run(stops[index]!.signal));
  const owned = () =>
    replicas
      .flatMap((replica) => replica.owned())
      .toSorted()
      .join("");
  const settled = async (holds: () => boolean) => {
    for (const end = clock.now() + 10_000; !holds(); await sleep(clock, 50)) assert.ok(clock.now() < end, `${owned()} after 10 s`);
  };
  await settled(() => owned() === "abcdef" && replicas.every((replica) => replica.members().length === 2 && replica.owned().length > 0));
  stops[0]!.abort();
  await runs[0];
  await settled(() => replicas[1]!.owned().length === keys.length);
  stops[1]!.abort();
  await runs[1];
  assert.deepEqual((await hub.list({ group: "coordination.k8s.io", version: "v1", kind: "Lease" }, { namespace: "default" })).items, []);
  let led = "";
  const subject = { ...group, about: "the test" };
  await runLeaderElection(hub, subject, { identity: "me", signal }, async () => {
    const lease = await hub.get({ group: "coordination.k8s.io", version: "v1", kind: "Lease", ...group });
    led = stringAt(lease, "spec.holderIdentity", "");
  });
  assert.equal(led, "me (1)");
});
