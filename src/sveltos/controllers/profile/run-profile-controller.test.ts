import assert from "node:assert/strict";
import { test } from "node:test";
import { fleetNamespace } from "../../../../test/support/embedded-fleet.ts";
import { gvkOf } from "../../api/index.ts";
import { Fleet } from "../../fleet/index.ts";
import { numberAt } from "../../../core/object/index.ts";
import { ProfileIndex } from "./profile-index.ts";
import {
  clusterNamesAt,
  policyContent,
  setDeployed,
  deleteCluster,
  summaryNames,
  onFvClusters,
  openProfileFixture,
  patchCluster,
  profileObject,
  referenceTo,
  deleteAsUser,
  summarySpecField,
  readProfileStatus,
  readSummary,
  finishWithdrawals,
  applyAsUser,
} from "../../../../test/support/profile/profile-fixture.ts";
import { cleanUpCluster } from "./clean-up-cluster.ts";

for (const type of ["Sveltos", "Capi"] as const) {
  const short = type.toLowerCase();

  test(`a ClusterProfile is deployed to a ${type} cluster by its labels, is withdrawn and deployed again, as recorded`, async (t) => {
    const fixture = await openProfileFixture(t, { type, clusters: { c1: { env: "fv" }, c2: { env: "prod" } } });
    const annotations = { "example.com/by": "hand" };
    await applyAsUser(fixture, profileObject("demo", onFvClusters, "ClusterProfile", { annotations }));

    const found = await readSummary(fixture, `demo-${short}-c1`);
    const owner = await fixture.get({ ...gvkOf("ClusterProfile"), namespace: "", name: "demo" });
    assert.equal(
      fixture.written.filter((line) => !line.includes("clusters/"))[1],
      "POST hub /apis/config.projectsveltos.io/v1beta1/namespaces/mgmt/clustersummaries",
    );
    const {
      uid: _uid,
      creationTimestamp: _time,
      managedFields: _fields,
      resourceVersion: _version,
      generation: _generation,
      ...metadata
    } = found?.metadata ?? { name: "" };
    const clusterProfileSpec = {
      clusterSelector: { matchLabels: { env: "fv" } },
      continueOnConflict: false,
      continueOnError: false,
      policyRefs: [{ deploymentType: "Remote", kind: "ConfigMap", name: "objects", namespace: "default" }],
      reloader: false,
      stopMatchingBehavior: "WithdrawPolicies",
      syncMode: "Continuous",
      tier: 100,
    };
    assert.deepEqual(metadata, {
      annotations,
      finalizers: ["clustersummaryfinalizer.projectsveltos.io"],
      labels: {
        "projectsveltos.io/cluster-name": "c1",
        "projectsveltos.io/cluster-profile-name": "demo",
        "projectsveltos.io/cluster-type": type,
      },
      name: `demo-${short}-c1`,
      namespace: "mgmt",
      ownerReferences: [{ apiVersion: "config.projectsveltos.io/v1beta1", kind: "ClusterProfile", name: "demo", uid: owner?.metadata.uid }],
    });
    assert.deepEqual(found?.["spec"], { clusterName: "c1", clusterNamespace: "mgmt", clusterType: type, clusterProfileSpec });
    assert.deepEqual(owner?.metadata.finalizers, ["clusterprofilefinalizer.projectsveltos.io"]);
    assert.equal(owner?.metadata.labels, undefined);
    const reference =
      type === "Capi"
        ? { apiVersion: "cluster.x-k8s.io/v1beta1", kind: "Cluster" }
        : { apiVersion: "lib.projectsveltos.io/v1beta1", kind: "SveltosCluster" };
    assert.deepEqual(await readProfileStatus(fixture, "demo"), { matchingClusters: [{ ...reference, name: "c1", namespace: "mgmt" }] });

    await patchCluster(fixture, "c1", { metadata: { labels: { env: null } } });
    assert.deepEqual(await summaryNames(fixture), [`-demo-${short}-c1`]);
    assert.deepEqual(await readProfileStatus(fixture, "demo"), {});
    await patchCluster(fixture, "c1", { metadata: { labels: { env: "fv" } } });
    assert.deepEqual(await summaryNames(fixture), [`-demo-${short}-c1`], "what goes is not called back");
    await finishWithdrawals(fixture);
    assert.deepEqual(await summaryNames(fixture), [`demo-${short}-c1`]);
    assert.notEqual((await readSummary(fixture, `demo-${short}-c1`))?.metadata.uid, found?.metadata.uid);

    await deleteAsUser(fixture, "ClusterProfile", "demo");
    assert.deepEqual(await summaryNames(fixture), [`-demo-${short}-c1`]);
    assert.ok(await fixture.get({ ...gvkOf("ClusterProfile"), namespace: "", name: "demo" }), "it goes after its last ClusterSummary");
    await finishWithdrawals(fixture);
    assert.deepEqual(await fixture.list(gvkOf("ClusterProfile")), []);
  });

  test(`${type} clusters are registered, deregistered, unreachable and reachable again`, async (t) => {
    const fixture = await openProfileFixture(t, { type, clusters: { c1: { env: "fv" } } });
    await applyAsUser(fixture, profileObject("demo", onFvClusters));
    await fixture.join("c2", { env: "fv" });
    await fixture.advance(1000);
    assert.deepEqual(await summaryNames(fixture), [`demo-${short}-c1`, `demo-${short}-c2`]);

    fixture.unreachable.add("c2");
    fixture.context.fleet.probeNow(`${type}/${fleetNamespace}/c2`);
    await fixture.advance(600_000);
    assert.deepEqual(
      await summaryNames(fixture),
      [`demo-${short}-c1`, `demo-${short}-c2`],
      "nothing goes because a cluster cannot be reached",
    );
    if (type === "Capi") await patchCluster(fixture, "c2", { status: { controlPlaneReady: false } });
    assert.deepEqual(await clusterNamesAt(fixture, "demo", "matchingClusters"), ["c1", "c2"], "nor because it is not ready any more");
    await applyAsUser(fixture, profileObject("late", onFvClusters));
    assert.deepEqual(
      await clusterNamesAt(fixture, "late", "matchingClusters"),
      type === "Capi" ? ["c1"] : ["c1", "c2"],
      "but none comes to one that is not",
    );

    const records = { clusterName: "c2", clusterNamespace: fleetNamespace };
    const labels = { "projectsveltos.io/cluster-name": "c2", "projectsveltos.io/cluster-type": type };
    await fixture.until(
      fixture.hub.create({
        ...profileObject(`${short}--c2`, {}, "ClusterConfiguration"),
        metadata: { name: `${short}--c2`, namespace: fleetNamespace, labels },
      }),
    );
    await fixture.until(
      fixture.hub.create({
        ...profileObject("x", records, "ClusterReport"),
        metadata: { name: `demo--${short}--c2`, namespace: fleetNamespace, labels },
      }),
    );
    await patchCluster(fixture, "c2", { metadata: { finalizers: ["example.com/nodes"] } });
    await deleteCluster(fixture, "c2");
    assert.deepEqual(
      await clusterNamesAt(fixture, "demo", "matchingClusters"),
      ["c1", "c2"],
      "while its object is there it may be reached",
    );
    await patchCluster(fixture, "c2", { metadata: { finalizers: null } });
    assert.deepEqual(
      (await summaryNames(fixture)).filter((name) => name.endsWith("c2")),
      [],
      "nobody has to withdraw what cannot be reached",
    );
    assert.deepEqual(await clusterNamesAt(fixture, "demo", "matchingClusters"), ["c1"]);
    assert.deepEqual(await fixture.list(gvkOf("ClusterConfiguration")), []);
    assert.deepEqual(await fixture.list(gvkOf("ClusterReport")), []);
  });
}

test("clusters are referred to, also before they exist, and selected by sets", async (t) => {
  const fixture = await openProfileFixture(t, { clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  await applyAsUser(
    fixture,
    profileObject("named", { clusterRefs: [referenceTo("c2"), referenceTo("c9"), { kind: "Machine", name: "x" }], ...policyContent }),
  );
  assert.deepEqual(await clusterNamesAt(fixture, "named", "matchingClusters"), ["c2"]);
  assert.equal(
    (await readProfileStatus(fixture, "named"))["failureMessage"],
    "spec.clusterRefs[1]: there is no SveltosCluster mgmt/c9\nspec.clusterRefs[2] names no cluster: kind must be SveltosCluster or Cluster",
  );
  await fixture.join("c9");
  await fixture.advance(1000);
  assert.deepEqual(await clusterNamesAt(fixture, "named", "matchingClusters"), ["c2", "c9"]);

  await applyAsUser(fixture, profileObject("by-set", { setRefs: ["one"], ...policyContent }));
  assert.equal((await readProfileStatus(fixture, "by-set"))["failureMessage"], "spec.setRefs: there is no ClusterSet one");
  const select = async (...clusters: string[]) => {
    await fixture.until(
      fixture.hub.patch(
        { ...gvkOf("ClusterSet"), namespace: "", name: "one" },
        { type: "merge", patch: { status: { selectedClusterRefs: clusters.map(referenceTo) } } },
        { subresource: "status" },
      ),
    );
    await fixture.advance(1000);
  };
  await applyAsUser(fixture, profileObject("one", { clusterSelector: { matchLabels: { env: "fv" } }, maxReplicas: 1 }, "ClusterSet"));
  await select("c1");
  assert.deepEqual(await readProfileStatus(fixture, "by-set"), { matchingClusters: [referenceTo("c1")] });
  fixture.unreachable.add("c1");
  fixture.context.fleet.probeNow(`Sveltos/${fleetNamespace}/c1`);
  await fixture.advance(600_000);
  await select();
  assert.deepEqual(
    await clusterNamesAt(fixture, "by-set", "matchingClusters"),
    ["c1"],
    "the set has let go of what is down, and has no other",
  );
  await select("c2");
  assert.deepEqual(await clusterNamesAt(fixture, "by-set", "matchingClusters"), ["c2"]);
  assert.deepEqual(
    (await summaryNames(fixture)).filter((name) => name.includes("by-set")),
    ["-by-set-sveltos-c1", "by-set-sveltos-c2"],
  );
});

test("a Profile matches the clusters and Sets of its namespace", async (t) => {
  const fixture = await openProfileFixture(t, { clusters: { c1: { env: "fv" } } });
  await fixture.until(fixture.hub.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } }));
  const elsewhere = { kind: "SveltosCluster", namespace: "other", name: "c1" };
  await applyAsUser(fixture, { ...profileObject("far", onFvClusters, "Profile"), metadata: { name: "far", namespace: "other" } });
  await applyAsUser(fixture, profileObject("near", { ...policyContent, clusterRefs: [elsewhere] }, "Profile"));
  await applyAsUser(fixture, profileObject("by-set", { ...policyContent, setRefs: ["all"] }, "Profile"));
  assert.deepEqual(await summaryNames(fixture), ["p--near-sveltos-c1"]);
  const selected = [elsewhere, { ...elsewhere, namespace: fleetNamespace }];
  await applyAsUser(fixture, profileObject("all", { maxReplicas: 3 }, "Set"));
  const patch = { status: { selectedClusterRefs: selected } };
  await fixture.until(
    fixture.hub.patch({ ...gvkOf("Set"), namespace: fleetNamespace, name: "all" }, { type: "merge", patch }, { subresource: "status" }),
  );
  await fixture.advance(1000);
  assert.deepEqual(await summaryNames(fixture), ["p--by-set-sveltos-c1", "p--near-sveltos-c1"]);
  const metadata = (await readSummary(fixture, "p--near-sveltos-c1"))?.metadata;
  assert.equal(metadata?.labels?.["projectsveltos.io/profile-name"], "near");
  assert.deepEqual(
    metadata?.ownerReferences?.map(({ kind, name }) => `${kind}/${name}`),
    ["Profile/near"],
  );
  await deleteAsUser(fixture, "Profile", "near");
  await finishWithdrawals(fixture);
  assert.deepEqual(
    (await fixture.list(gvkOf("Profile"))).map(({ metadata: { name } }) => name),
    ["by-set", "far"],
  );
});

test("a change is written to ClusterSummaries, but not to those of OneTime profiles", async (t) => {
  const fixture = await openProfileFixture(t);
  await applyAsUser(fixture, profileObject("demo", onFvClusters, "ClusterProfile", { labels: { team: "a" } }));
  await applyAsUser(
    fixture,
    profileObject("demo", { ...onFvClusters, tier: 50, syncMode: "DryRun" }, "ClusterProfile", { labels: { team: "b" } }),
  );
  assert.deepEqual(
    [await summarySpecField(fixture, "demo-sveltos-c1", "tier"), await summarySpecField(fixture, "demo-sveltos-c1", "syncMode")],
    [50, "DryRun"],
  );
  assert.equal((await readSummary(fixture, "demo-sveltos-c1"))?.metadata.labels?.["team"], "b");
  await applyAsUser(fixture, profileObject("demo", { ...onFvClusters, tier: 60, syncMode: "OneTime" }));
  assert.equal(await summarySpecField(fixture, "demo-sveltos-c1", "tier"), 60, "nothing has been deployed so far");
  await setDeployed(fixture, "demo-sveltos-c1");
  await applyAsUser(fixture, profileObject("demo", { ...onFvClusters, tier: 70, syncMode: "OneTime" }));
  assert.equal(await summarySpecField(fixture, "demo-sveltos-c1", "tier"), 60);
  await applyAsUser(fixture, profileObject("demo", { ...onFvClusters, tier: 80 }));
  assert.equal(await summarySpecField(fixture, "demo-sveltos-c1", "tier"), 80);
  await setDeployed(fixture, "demo-sveltos-c1");
  await applyAsUser(fixture, profileObject("demo", { ...onFvClusters, tier: 90, syncMode: "OneTime" }));
  assert.deepEqual(
    [await summarySpecField(fixture, "demo-sveltos-c1", "tier"), await summarySpecField(fixture, "demo-sveltos-c1", "syncMode")],
    [80, "OneTime"],
  );
  const kept = await readSummary(fixture, "demo-sveltos-c1");
  assert.equal(numberAt(kept, "status.observedGeneration"), kept?.metadata.generation, "what is deployed is what it says");

  await applyAsUser(
    fixture,
    profileObject("demo", { ...onFvClusters, clusterSelector: { matchLabels: { env: "none" } }, stopMatchingBehavior: "LeavePolicies" }),
  );
  assert.deepEqual(await summaryNames(fixture), ["-demo-sveltos-c1"]);
  assert.equal(
    await summarySpecField(fixture, "demo-sveltos-c1", "stopMatchingBehavior"),
    "LeavePolicies",
    "the removal behavior is written before the deletion",
  );
});

test("the objects of a cluster stay while the cluster exists, whatever the fleet knows", async (t) => {
  const fixture = await openProfileFixture(t);
  await applyAsUser(fixture, profileObject("demo", onFvClusters));
  const fleet = new Fleet(fixture.hub, { open: () => Promise.reject(new Error("nobody is there")) });
  const profileIndex = new ProfileIndex(fixture.context.cache);
  fixture.written.length = 0;
  await fixture.until(cleanUpCluster(`Sveltos/${fleetNamespace}/c1`, profileIndex, { ...fixture.context, fleet }, fixture.signal));
  await fixture.until(cleanUpCluster(`Capi/${fleetNamespace}/c1`, profileIndex, { ...fixture.context, fleet }, fixture.signal));
  // The profile controller would create deleted objects again at once.
  assert.deepEqual(fixture.written, []);
  assert.deepEqual(await summaryNames(fixture), ["demo-sveltos-c1"]);
});
