import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import "../../../test/support/fixed-seed.ts";
import { clusterReference, readCluster, readClusterSet, type ClusterId, type ManagedCluster, type ObjectReference } from "../api/index.ts";
import { selectClusters, clusterKey, referencedCluster, matchingClusters } from "./index.ts";

/** `a:env=fv` is ready; `a!` is not, `a-` is down, `capi/a` is Cluster API's, `ns.a` is in another namespace. */
function cluster(text: string): ManagedCluster {
  const [, capi, namespace = "mgmt", name = "", mark, label = ""] = /^(capi\/)?(?:(\w+)\.)?(\w+)([!-])?(?::(.*))?$/.exec(text) ?? [];
  const [key = "", value = ""] = label.split("=");
  const metadata = { name, namespace, labels: label === "" ? {} : { [key]: value } };
  const status = { ready: mark !== "!", controlPlaneReady: mark !== "!", connectionStatus: mark === "-" ? "Down" : "Healthy" };
  const [apiVersion, kind] =
    capi === undefined ? ["lib.projectsveltos.io/v1beta1", "SveltosCluster"] : ["cluster.x-k8s.io/v1beta1", "Cluster"];
  const reading = readCluster({ apiVersion, kind, metadata, status });
  assert.ok(reading.state === "read");
  return reading.value;
}

const clusters = (text: string) => text.split(" ").filter(Boolean).map(cluster);
const show = (ids: readonly ClusterId[]) =>
  ids
    .map(({ type, namespace, name }) => `${type === "Capi" ? "capi/" : ""}${namespace === "mgmt" ? "" : `${namespace}.`}${name}`)
    .join(" ");
const env = (value: string) => ({ matchLabels: { env: value } });
const sveltos = (name: string, namespace = "mgmt"): ObjectReference => ({ kind: "SveltosCluster", namespace, name });

const matching: Readonly<Record<string, readonly [fleet: string, wanted: Parameters<typeof matchingClusters>[0], expected: string]>> = {
  "ready ones that the selector selects": ["a:env=fv b!:env=fv c:env=prod capi/d:env=fv e-:env=fv", { selector: env("fv") }, "a capi/d e"],
  "an empty selector selects none": ["a:env=fv b", { selector: {} }, ""],
  "those named, ready or not, there or not": ["a!", { selector: {}, refs: [sveltos("a"), sveltos("z")] }, "a z"],
  "each once": [
    "a:env=fv b:env=fv",
    { selector: env("fv"), refs: [sveltos("b")], ofSets: [{ type: "Sveltos", namespace: "mgmt", name: "a" }] },
    "a b",
  ],
  "one of each type under one name": ["a:env=fv capi/a:env=fv", { selector: env("fv") }, "a capi/a"],
  "of one namespace only": ["a:env=fv x.a:env=fv", { selector: env("fv"), namespace: "x" }, "x.a"],
  "those named are meant in the own namespace": ["a", { selector: {}, refs: [sveltos("a", "mgmt")], namespace: "x" }, "x.a"],
  "what is no cluster is none": ["a", { selector: {}, refs: [{ kind: "Secret", namespace: "mgmt", name: "a" }] }, ""],
};

for (const [what, [fleet, criteria, expected]] of Object.entries(matching)) {
  test(`matching: ${what}`, () => assert.equal(show(matchingClusters(criteria, clusters(fleet))), expected));
}

function setOf(spec: object, kind = "ClusterSet") {
  const reading = readClusterSet({ apiVersion: "lib.projectsveltos.io/v1beta1", kind, metadata: { name: "s", namespace: "mgmt" }, spec });
  assert.ok(reading.state === "read");
  return reading.value;
}

const choices: Readonly<Record<string, readonly [fleet: string, max: number, before: string, selected: string]>> = {
  "the first ones": ["a:env=fv b:env=fv c:env=fv", 2, "", "a b"],
  "those of before stay": ["a:env=fv b:env=fv c:env=fv", 2, "c", "c a"],
  "one that is down is replaced": ["a-:env=fv b:env=fv c:env=fv", 2, "a b", "b c"],
  "one that does not match any more is replaced": ["a b:env=fv c:env=fv", 2, "a b", "b c"],
  "fewer where there are no more": ["a:env=fv", 2, "", "a"],
  "shrinking keeps the first ones": ["a:env=fv b:env=fv c:env=fv", 2, "c b a", "c b"],
  "none for zero": ["a:env=fv", 0, "a", ""],
};

for (const [what, [fleet, maxReplicas, before, selected]] of Object.entries(choices)) {
  test(`a set selects ${what}`, () => {
    const set = setOf({ clusterSelector: env("fv"), maxReplicas });
    assert.equal(show(selectClusters(set, clusters(fleet), clusters(before)).selected), selected);
  });
}

test("a Set matches clusters of its own namespace only", () => {
  const set = setOf({ clusterSelector: env("fv"), maxReplicas: 5 }, "Set");
  assert.equal(show(selectClusters(set, clusters("a:env=fv x.b:env=fv"), []).selected), "a");
});

test("selecting again changes nothing, and replaces no more clusters than necessary", () => {
  const fleet = fc.uniqueArray(fc.tuple(fc.constantFrom("a", "b", "c", "d", "e", "f"), fc.constantFrom("", "!", "-")), {
    selector: ([name]) => name,
  });
  fc.assert(
    fc.property(fleet, fleet, fc.nat(6), (one, two, maxReplicas) => {
      const clustersOf = (names: typeof one) => names.map(([name, mark]) => cluster(`${name}${mark}:env=fv`));
      const set = setOf({ clusterSelector: env("fv"), maxReplicas });
      const first = selectClusters(set, clustersOf(one), []).selected;
      assert.deepEqual(selectClusters(set, clustersOf(one), first).selected, first);
      const next = selectClusters(set, clustersOf(two), first).selected;
      const able = clustersOf(two)
        .filter(({ ready, down }) => ready && !down)
        .map(clusterKey);
      assert.equal(next.length, Math.min(maxReplicas, able.length));
      for (const id of first.filter((each) => able.includes(clusterKey(each)))) assert.ok(next.map(clusterKey).includes(clusterKey(id)));
    }),
  );
});

test("a reference to a cluster names it", () => {
  for (const each of clusters("a capi/b")) assert.equal(clusterKey(referencedCluster(clusterReference(each))!), clusterKey(each));
});
