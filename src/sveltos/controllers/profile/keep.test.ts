import assert from "node:assert/strict";
import { test } from "node:test";
import { namespace } from "../../../../test/support/embedded-fleet.ts";
import { gvkOf } from "../../api/index.ts";
import { Fleet } from "../../fleet/index.ts";
import { Books } from "./books.ts";
import {
  clustersAt,
  content,
  deployed,
  deregister,
  names,
  onFv,
  openLab,
  patchCluster,
  profile,
  referenceTo,
  remove,
  specOf,
  status,
  summary,
  withdrawn,
  write,
} from "../../../../test/support/profile/lab.ts";
import { clearUp } from "./gone.ts";

for (const type of ["Sveltos", "Capi"] as const) {
  const short = type.toLowerCase();

  test(`a ClusterProfile comes to a ${type} cluster by its labels, goes and comes back, as recorded`, async (t) => {
    const lab = await openLab(t, { type, clusters: { c1: { env: "fv" }, c2: { env: "prod" } } });
    const annotations = { "example.com/by": "hand" };
    await write(lab, profile("demo", onFv, "ClusterProfile", { annotations }));

    const found = await summary(lab, `demo-${short}-c1`);
    const owner = await lab.get({ ...gvkOf("ClusterProfile"), namespace: "", name: "demo" });
    assert.equal(
      lab.written.filter((line) => !line.includes("clusters/"))[1],
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
    assert.deepEqual(await status(lab, "demo"), { matchingClusters: [{ ...reference, name: "c1", namespace: "mgmt" }] });

    await patchCluster(lab, "c1", { metadata: { labels: { env: null } } });
    assert.deepEqual(await names(lab), [`-demo-${short}-c1`]);
    assert.deepEqual(await status(lab, "demo"), {});
    await patchCluster(lab, "c1", { metadata: { labels: { env: "fv" } } });
    assert.deepEqual(await names(lab), [`-demo-${short}-c1`], "what goes is not called back");
    await withdrawn(lab);
    assert.deepEqual(await names(lab), [`demo-${short}-c1`]);
    assert.notEqual((await summary(lab, `demo-${short}-c1`))?.metadata.uid, found?.metadata.uid);

    await remove(lab, "ClusterProfile", "demo");
    assert.deepEqual(await names(lab), [`-demo-${short}-c1`]);
    assert.ok(await lab.get({ ...gvkOf("ClusterProfile"), namespace: "", name: "demo" }), "it goes after its last ClusterSummary");
    await withdrawn(lab);
    assert.deepEqual(await lab.list(gvkOf("ClusterProfile")), []);
  });

  test(`${type} clusters join, leave, are lost and are found again`, async (t) => {
    const lab = await openLab(t, { type, clusters: { c1: { env: "fv" } } });
    await write(lab, profile("demo", onFv));
    await lab.join("c2", { env: "fv" });
    await lab.advance(1000);
    assert.deepEqual(await names(lab), [`demo-${short}-c1`, `demo-${short}-c2`]);

    lab.unreachable.add("c2");
    lab.desk.fleet.suspect(`${type}/${namespace}/c2`);
    await lab.advance(600_000);
    assert.deepEqual(await names(lab), [`demo-${short}-c1`, `demo-${short}-c2`], "nothing goes because a cluster cannot be reached");
    if (type === "Capi") await patchCluster(lab, "c2", { status: { controlPlaneReady: false } });
    assert.deepEqual(await clustersAt(lab, "demo", "matchingClusters"), ["c1", "c2"], "nor because it is not ready any more");
    await write(lab, profile("late", onFv));
    assert.deepEqual(
      await clustersAt(lab, "late", "matchingClusters"),
      type === "Capi" ? ["c1"] : ["c1", "c2"],
      "but none comes to one that is not",
    );

    const records = { clusterName: "c2", clusterNamespace: namespace };
    const labels = { "projectsveltos.io/cluster-name": "c2", "projectsveltos.io/cluster-type": type };
    await lab.until(
      lab.hub.create({ ...profile(`${short}--c2`, {}, "ClusterConfiguration"), metadata: { name: `${short}--c2`, namespace, labels } }),
    );
    await lab.until(
      lab.hub.create({ ...profile("x", records, "ClusterReport"), metadata: { name: `demo--${short}--c2`, namespace, labels } }),
    );
    await patchCluster(lab, "c2", { metadata: { finalizers: ["example.com/nodes"] } });
    await deregister(lab, "c2");
    assert.deepEqual(await clustersAt(lab, "demo", "matchingClusters"), ["c1", "c2"], "while its object is there it may be reached");
    await patchCluster(lab, "c2", { metadata: { finalizers: null } });
    assert.deepEqual(
      (await names(lab)).filter((name) => name.endsWith("c2")),
      [],
      "nobody has to withdraw what cannot be reached",
    );
    assert.deepEqual(await clustersAt(lab, "demo", "matchingClusters"), ["c1"]);
    assert.deepEqual(await lab.list(gvkOf("ClusterConfiguration")), []);
    assert.deepEqual(await lab.list(gvkOf("ClusterReport")), []);
  });
}

test("clusters are named, also before they are there, and come by sets", async (t) => {
  const lab = await openLab(t, { clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  await write(lab, profile("named", { clusterRefs: [referenceTo("c2"), referenceTo("c9"), { kind: "Machine", name: "x" }], ...content }));
  assert.deepEqual(await clustersAt(lab, "named", "matchingClusters"), ["c2"]);
  assert.equal(
    (await status(lab, "named"))["failureMessage"],
    "spec.clusterRefs[1]: there is no SveltosCluster mgmt/c9\nspec.clusterRefs[2] names no cluster: kind must be SveltosCluster or Cluster",
  );
  await lab.join("c9");
  await lab.advance(1000);
  assert.deepEqual(await clustersAt(lab, "named", "matchingClusters"), ["c2", "c9"]);

  await write(lab, profile("by-set", { setRefs: ["one"], ...content }));
  assert.equal((await status(lab, "by-set"))["failureMessage"], "spec.setRefs: there is no ClusterSet one");
  const select = async (...clusters: string[]) => {
    await lab.until(
      lab.hub.patch(
        { ...gvkOf("ClusterSet"), namespace: "", name: "one" },
        { type: "merge", patch: { status: { selectedClusterRefs: clusters.map(referenceTo) } } },
        { subresource: "status" },
      ),
    );
    await lab.advance(1000);
  };
  await write(lab, profile("one", { clusterSelector: { matchLabels: { env: "fv" } }, maxReplicas: 1 }, "ClusterSet"));
  await select("c1");
  assert.deepEqual(await status(lab, "by-set"), { matchingClusters: [referenceTo("c1")] });
  lab.unreachable.add("c1");
  lab.desk.fleet.suspect(`Sveltos/${namespace}/c1`);
  await lab.advance(600_000);
  await select();
  assert.deepEqual(await clustersAt(lab, "by-set", "matchingClusters"), ["c1"], "the set has let go of what is down, and has no other");
  await select("c2");
  assert.deepEqual(await clustersAt(lab, "by-set", "matchingClusters"), ["c2"]);
  assert.deepEqual(
    (await names(lab)).filter((name) => name.includes("by-set")),
    ["-by-set-sveltos-c1", "by-set-sveltos-c2"],
  );
});

test("a Profile has the clusters and Sets of its namespace", async (t) => {
  const lab = await openLab(t, { clusters: { c1: { env: "fv" } } });
  await lab.until(lab.hub.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } }));
  const elsewhere = { kind: "SveltosCluster", namespace: "other", name: "c1" };
  await write(lab, { ...profile("far", onFv, "Profile"), metadata: { name: "far", namespace: "other" } });
  await write(lab, profile("near", { ...content, clusterRefs: [elsewhere] }, "Profile"));
  await write(lab, profile("by-set", { ...content, setRefs: ["all"] }, "Profile"));
  assert.deepEqual(await names(lab), ["p--near-sveltos-c1"]);
  const selected = [elsewhere, { ...elsewhere, namespace }];
  await write(lab, profile("all", { maxReplicas: 3 }, "Set"));
  const patch = { status: { selectedClusterRefs: selected } };
  await lab.until(lab.hub.patch({ ...gvkOf("Set"), namespace, name: "all" }, { type: "merge", patch }, { subresource: "status" }));
  await lab.advance(1000);
  assert.deepEqual(await names(lab), ["p--by-set-sveltos-c1", "p--near-sveltos-c1"]);
  const metadata = (await summary(lab, "p--near-sveltos-c1"))?.metadata;
  assert.equal(metadata?.labels?.["projectsveltos.io/profile-name"], "near");
  assert.deepEqual(
    metadata?.ownerReferences?.map(({ kind, name }) => `${kind}/${name}`),
    ["Profile/near"],
  );
  await remove(lab, "Profile", "near");
  await withdrawn(lab);
  assert.deepEqual(
    (await lab.list(gvkOf("Profile"))).map(({ metadata: { name } }) => name),
    ["by-set", "far"],
  );
});

test("a change reaches its ClusterSummaries, but not what was to be deployed once", async (t) => {
  const lab = await openLab(t);
  await write(lab, profile("demo", onFv, "ClusterProfile", { labels: { team: "a" } }));
  await write(lab, profile("demo", { ...onFv, tier: 50, syncMode: "DryRun" }, "ClusterProfile", { labels: { team: "b" } }));
  assert.deepEqual([await specOf(lab, "demo-sveltos-c1", "tier"), await specOf(lab, "demo-sveltos-c1", "syncMode")], [50, "DryRun"]);
  assert.equal((await summary(lab, "demo-sveltos-c1"))?.metadata.labels?.["team"], "b");
  await write(lab, profile("demo", { ...onFv, tier: 60, syncMode: "OneTime" }));
  assert.equal(await specOf(lab, "demo-sveltos-c1", "tier"), 60, "nothing has been deployed so far");
  await deployed(lab, "demo-sveltos-c1");
  await write(lab, profile("demo", { ...onFv, tier: 70, syncMode: "OneTime" }));
  assert.equal(await specOf(lab, "demo-sveltos-c1", "tier"), 60);
  await write(lab, profile("demo", { ...onFv, tier: 80 }));
  assert.equal(await specOf(lab, "demo-sveltos-c1", "tier"), 80);
  await deployed(lab, "demo-sveltos-c1");
  await write(lab, profile("demo", { ...onFv, tier: 90, syncMode: "OneTime" }));
  assert.deepEqual([await specOf(lab, "demo-sveltos-c1", "tier"), await specOf(lab, "demo-sveltos-c1", "syncMode")], [80, "OneTime"]);

  await write(lab, profile("demo", { ...onFv, clusterSelector: { matchLabels: { env: "none" } }, stopMatchingBehavior: "LeavePolicies" }));
  assert.deepEqual(await names(lab), ["-demo-sveltos-c1"]);
  assert.equal(await specOf(lab, "demo-sveltos-c1", "stopMatchingBehavior"), "LeavePolicies", "what is to stay is said before it goes");
});

test("what is kept about a cluster stays while its object is there, whatever the fleet knows", async (t) => {
  const lab = await openLab(t);
  await write(lab, profile("demo", onFv));
  const fleet = new Fleet(lab.hub, { open: () => Promise.reject(new Error("nobody is there")) });
  const books = new Books(lab.desk.copies);
  lab.written.length = 0;
  await lab.until(clearUp(`Sveltos/${namespace}/c1`, books, { ...lab.desk, fleet }, lab.signal));
  await lab.until(clearUp(`Capi/${namespace}/c1`, books, { ...lab.desk, fleet }, lab.signal));
  // Whoever keeps profiles would put back at once what had gone.
  assert.deepEqual(lab.written, []);
  assert.deepEqual(await names(lab), ["demo-sveltos-c1"]);
});
