import assert from "node:assert/strict";
import { test } from "node:test";
import { viewOf, type ViewUnderTest } from "../../../test/support/dashboard/view-under-test.ts";
import { EmbeddedFleet } from "../../../test/support/embedded-fleet.ts";
import { applyAsUser, deleteAsUser, onFvClusters, profileContent, profileObject } from "../../../test/support/profile/profile-fixture.ts";
import { runProfileController, runSummaryController } from "../../sveltos/controllers/index.ts";
import type { ClusterHeadItem, DeployedObjectItem, DeploymentItem, DryRunChangeItem } from "../api/index.ts";
import { readCell } from "./read-cell.ts";

const view = { type: "cluster", context: "hub", kind: "SveltosCluster", namespace: "mgmt", name: "c1" } as const;

function deployments(shown: ViewUnderTest): readonly string[] {
  return [...shown.items<DeploymentItem>("deployment").values()].map(
    ({ profile, state, features }) => `${profile.name} ${state} ${features.map(({ id, status }) => `${id}=${status}`).join()}`,
  );
}

async function fleetWith(
  t: { after: (end: () => void) => void },
  clusters: Readonly<Record<string, Readonly<Record<string, string>>>>,
  { isReachable = false }: { readonly isReachable?: boolean } = {},
) {
  const fixture = await EmbeddedFleet.open({ clusters });
  t.after(() => void fixture.close());
  await fixture.run(runProfileController, runSummaryController);
  const shown = viewOf(view, { clock: fixture.clock, cluster: fixture.hub }, isReachable ? { openManaged: fixture.openManaged } : {});
  t.after(shown.end);
  await fixture.apply(profileContent);
  return { fixture, shown };
}

test("a cluster shows its profiles and what they have deployed, and says why their health is not known", async (t) => {
  const { fixture, shown } = await fleetWith(t, { c1: { env: "fv" }, c2: { env: "fv" } });
  await applyAsUser(fixture, profileObject("demo", onFvClusters));
  await fixture.advance(10_000);
  const [head] = shown.items<ClusterHeadItem>("head").values();
  assert.deepEqual([head?.name, head?.state, head?.labels["env"]], ["c1", "ready", "fv"]);
  assert.deepEqual(deployments(shown), ["demo ready Resources=Provisioned"]);
  const objects = [...shown.items<DeployedObjectItem>("object").values()];
  assert.deepEqual(
    objects.map(({ kind, namespace, name, health }) => `${kind} ${namespace}/${name} ${health}`),
    ["ConfigMap default/deployed unknown"],
  );
  // The kubeconfig of a cluster in this process leads nowhere on a network.
  assert.match(shown.live.notices.map(({ text }) => text).join(), /^How the objects are doing is not known/);

  await deleteAsUser(fixture, "ClusterProfile", "demo");
  await fixture.advance(60_000);
  assert.deepEqual(deployments(shown), []);
  assert.equal(shown.items("object").size, 0);
});

test("objects in a managed cluster that answers have their health, and lose it when they are deleted there", async (t) => {
  const { fixture, shown } = await fleetWith(t, { c1: { env: "fv" } }, { isReachable: true });
  await applyAsUser(fixture, profileObject("demo", onFvClusters));
  await fixture.advance(10_000);
  const health = () => [...shown.items<DeployedObjectItem>("object").values()].map(({ name, health: word }) => `${name} ${word}`);
  assert.deepEqual(health(), ["deployed ready"]);
  assert.deepEqual(shown.live.notices, []);
  const deployed = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "deployed" };
  await fixture.until(fixture.managed("c1").delete(deployed, {}));
  await fixture.advance(2_000);
  assert.deepEqual(health(), ["deployed missing"]);
});

test("a profile that waits for its turn is shown, and one in DryRun mode says what it would change", async (t) => {
  const { fixture, shown } = await fleetWith(t, { c0: { env: "fv" }, c1: { env: "fv" } });
  const missing = { policyRefs: [{ kind: "ConfigMap", namespace: "default", name: "missing" }] };
  await applyAsUser(fixture, profileObject("one-by-one", { ...onFvClusters, ...missing, maxUpdate: 1 }));
  await applyAsUser(fixture, profileObject("rehearsed", { ...onFvClusters, syncMode: "DryRun" }));
  await fixture.advance(30_000);
  const waiting = [...shown.items<DeploymentItem>("deployment").values()].find(({ profile }) => profile.name === "one-by-one");
  assert.equal(waiting?.state, "waiting");
  assert.equal(waiting?.summary, undefined);
  assert.deepEqual(
    [...shown.items<DryRunChangeItem>("change").values()].map(({ profile, action, title }) => `${profile.name} ${action} ${title}`),
    ["rehearsed Create ConfigMap default/deployed"],
  );
});

test("what may not be read is told once and quietly, and is said neither to be missing nor to wait", async (t) => {
  const { fixture } = await fleetWith(t, { c1: { env: "fv" } });
  await applyAsUser(fixture, profileObject("demo", onFvClusters));
  await fixture.advance(10_000);
  let hidden = /clustersummaries|clusterreports|namespaces\/default\/events/;
  fixture.forbids = (cluster, path) => cluster === "hub" && hidden.test(path);
  const shown = viewOf(view, { clock: fixture.clock, cluster: fixture.hub }, { openManaged: fixture.openManaged });
  t.after(shown.end);
  await fixture.advance(5000);
  assert.equal(shown.items("head").size, 1);
  assert.deepEqual(deployments(shown), []);
  const text = "You may not read ClusterSummary in mgmt; ClusterReport in mgmt; Event in default: what they say is missing here.";
  assert.deepEqual(shown.live.notices, [{ key: "refused", text, quiet: true }]);

  hidden = /sveltosclusters/;
  const blind = viewOf(view, { clock: fixture.clock, cluster: fixture.hub }, { openManaged: fixture.openManaged });
  t.after(blind.end);
  await fixture.advance(5000);
  assert.deepEqual(
    blind.live.notices.map((notice) => notice.text),
    ["You may not read SveltosCluster in mgmt: what they say is missing here."],
  );
});

test("a cell is read by the keys of its cluster and its profile", async (t) => {
  const { fixture } = await fleetWith(t, { c1: { env: "fv" }, c2: { env: "fv" } });
  await applyAsUser(fixture, profileObject("demo", onFvClusters));
  await fixture.advance(10_000);
  const { signal } = new AbortController();
  const read = (cluster: string, column: string) =>
    fixture.until(readCell(new URLSearchParams({ cluster, column }), { cluster: fixture.hub, signal }));
  const { deployments: found } = await read("SveltosCluster/mgmt/c2", "ClusterProfile//demo");
  assert.deepEqual(
    found.map(({ summary, state }) => [summary?.name, state]),
    [["demo-sveltos-c2", "ready"]],
  );
  assert.deepEqual(await read("SveltosCluster/mgmt/c2", "ClusterProfile//other"), { deployments: [] });
  assert.deepEqual(await read("nonsense", "ClusterProfile//demo"), { deployments: [] });
});
