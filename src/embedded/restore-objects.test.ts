import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { widgetCrd } from "../../test/support/widget-crd.ts";
import { VirtualClock } from "../core/clock/index.ts";
import { keyOf, refOf, type KubeObject } from "../core/object/index.ts";
import { connect, type Cluster } from "../kube/index.ts";
import { readManifests } from "../lang/yaml/index.ts";
import { startEmbeddedCluster } from "./index.ts";

const example = join(import.meta.dirname, "../../examples/hello/hello.yaml");
const hello = readManifests(readFileSync(example, "utf8"), "hello.yaml").manifests.map(({ object }) => object);
const widget: KubeObject = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w", namespace: "default" } };

const kinds = [
  ["", "v1", "Namespace"],
  ["", "v1", "Node"],
  ["", "v1", "ServiceAccount"],
  ["", "v1", "ConfigMap"],
  ["", "v1", "PersistentVolume"],
  ["", "v1", "PersistentVolumeClaim"],
  ["", "v1", "Pod"],
  ["", "v1", "Service"],
  ["apps", "v1", "ControllerRevision"],
  ["apps", "v1", "Deployment"],
  ["apps", "v1", "ReplicaSet"],
  ["apps", "v1", "StatefulSet"],
  ["batch", "v1", "Job"],
  ["storage.k8s.io", "v1", "StorageClass"],
  ["apiextensions.k8s.io", "v1", "CustomResourceDefinition"],
  ["example.com", "v1", "Widget"],
] as const;

async function objectsIn(cluster: Cluster): Promise<readonly KubeObject[]> {
  const lists = kinds.map(([group, version, kind]) => cluster.list({ group, version, kind }));
  return (await Promise.all(lists)).flatMap(({ items }) => items);
}

/** What must stay the same: everything but the versions. */
function contentsOf(objects: readonly KubeObject[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    objects.map(({ metadata, ...object }) => {
      const { resourceVersion: _version, ...kept } = metadata;
      return [keyOf(refOf({ ...object, metadata })), { ...object, metadata: kept }];
    }),
  );
}

test("a cluster goes on where another one was: what ran for a week runs, and nothing is made anew", async (t) => {
  const clock = new VirtualClock();
  const first = startEmbeddedCluster({ clock });
  t.after(first.stop);
  const live = connect(first.exchange, { clock });
  await live.create(widgetCrd);
  for (const object of hello) await live.create(object);
  await clock.settle({ withinMs: 600_000 });
  await live.create(widget);
  const before = await objectsIn(live);
  assert.ok(before.filter(({ kind }) => kind === "Pod").length > 1, "there are pods that run");

  const later = new VirtualClock({ start: clock.now() + 7 * 24 * 3_600_000 });
  const alien: KubeObject = { apiVersion: "metrics.example.com/v1", kind: "Sample", metadata: { name: "s" } };
  const second = startEmbeddedCluster({ clock: later, seed: 2, objects: [...before.toReversed(), alien] });
  t.after(second.stop);
  await later.settle({ withinMs: 600_000 });
  const copy = connect(second.exchange, { clock: later });
  assert.deepEqual(contentsOf(await objectsIn(copy)), contentsOf(before));
  assert.deepEqual(
    second.unserved.map(({ kind }) => kind),
    ["Sample"],
  );
});

function pod(metadata: object, spec: object = {}): object {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "web-0", ...metadata }, spec };
}

test("an object with other types than its kind has is refused by name, before a controller meets it", () => {
  for (const [object, problem] of [
    [pod({}, { containers: "none" }), /cannot unmarshal string into Go struct field PodSpec\.spec\.containers/],
    [pod({ labels: [] }), /cannot unmarshal array into Go struct field ObjectMeta\.metadata\.labels/],
    [pod({ ownerReferences: [{}] }), /an owner reference has no apiVersion, kind, name or uid/],
    [
      { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web-0" }, spec: { selector: { matchExpressions: [7] } } },
      /matchExpressions/,
    ],
  ] as const) {
    const start = () => startEmbeddedCluster({ clock: new VirtualClock(), objects: [object as unknown as KubeObject] });
    assert.throws(start, (error: Error) => /^take over (pod|deployment)\/web-0: /.test(error.message) && problem.test(error.message));
  }
});
