import { globSync, readFileSync } from "node:fs";
import assert from "node:assert/strict";
import { join } from "node:path";
import { newInformer, type Cluster } from "../../src/kube/index.ts";
import type { KubeObject, ObjectRef } from "../../src/core/object/index.ts";
import { refOf } from "../../src/core/object/index.ts";
import { readManifests } from "../../src/lang/yaml/index.ts";

/** The fleet that examples run on: a management cluster with its controllers, and two managed clusters. */
export type TestFleet = {
  readonly hub: Cluster;
  /** The first is labelled `env: fv`, the second `dep: eng`. */
  readonly managed: readonly [Cluster, Cluster];
  /** Changes the labels of the first cluster. */
  relabel(labels: Readonly<Record<string, string>>): Promise<void>;
  /** The URL of the repository with the charts of the examples. */
  readonly repository: string;
  /** Awaits work, and advances virtual time while it waits. */
  until<T>(work: Promise<T>): Promise<T>;
  /** Waits until nothing happens any more, so that what must not happen has had the time to. */
  settle(): Promise<void>;
  readonly signal: AbortSignal;
};

const root = join(import.meta.dirname, "..", "..", "examples", "addons");

/** Reads the manifests of files of the examples, by name. */
export function exampleManifests(pattern: string): readonly KubeObject[] {
  const files = globSync(join(root, pattern)).toSorted();
  assert.ok(files.length > 0, `examples/addons has ${pattern}`);
  return files.flatMap((path) => {
    const { manifests, problems } = readManifests(readFileSync(path, "utf8"), path);
    assert.deepEqual(problems, []);
    return manifests.map(({ object }) => object);
  });
}

/** Applies manifests as kubectl does. */
export async function applyManifests(fleet: TestFleet, cluster: Cluster, manifests: readonly KubeObject[]): Promise<void> {
  for (const object of manifests) await fleet.until(cluster.apply(object, { manager: "kubectl", force: true }));
}

/** Deletes what was applied, the last first, without waiting until it is gone. */
export async function deleteManifests(fleet: TestFleet, cluster: Cluster, manifests: readonly KubeObject[]): Promise<void> {
  for (const object of manifests.toReversed()) {
    const ref = refOf(object);
    const { namespaced } = (await fleet.until(cluster.discovery.find(ref))) ?? { namespaced: true };
    await fleet.until(cluster.delete({ ...ref, namespace: namespaced ? ref.namespace || "default" : "" }));
  }
}

/** Waits on a watch until an object exists and `holds`. */
export function eventually(
  fleet: TestFleet,
  cluster: Cluster,
  ref: ObjectRef,
  holds: (object: KubeObject) => boolean = () => true,
): Promise<KubeObject> {
  return fleet.until(waitForObject(fleet, cluster, ref, (object) => object !== undefined && holds(object))) as Promise<KubeObject>;
}

/** Waits until an object is gone. */
export async function eventuallyGone(fleet: TestFleet, cluster: Cluster, ref: ObjectRef): Promise<void> {
  await fleet.until(waitForObject(fleet, cluster, ref, (object) => object === undefined));
}

async function waitForObject(
  { signal }: TestFleet,
  cluster: Cluster,
  ref: ObjectRef,
  holds: (object: KubeObject | undefined) => boolean,
): Promise<KubeObject | undefined> {
  const place = ref.namespace === "" ? {} : { namespace: ref.namespace };
  const informer = newInformer(cluster, ref, { ...place, fieldSelector: `metadata.name=${ref.name}`, signal });
  let isSynced = false;
  for await (const change of informer) {
    isSynced ||= change.type === "synced";
    const object = informer.lister.find(ref.namespace, ref.name);
    if (isSynced && holds(object)) return object;
  }
  throw new Error(`the wait for ${ref.kind} ${ref.name} was aborted`, { cause: signal.reason });
}
