import type { KubeObject } from "../../../src/core/object/index.ts";
import { openCluster } from "../../../src/kube/index.ts";
import { requireCrds } from "../../../src/sveltos/controllers/index.ts";
import { largeFleetObjects } from "../../support/dashboard/large-fleet.ts";
import { createObjects } from "../../support/fleet-objects.ts";

const { signal } = new AbortController();

/** Makes a cluster the management cluster of a fleet, as its controller has left it. */
export async function fillFleet(kubeconfig: string): Promise<void> {
  const { cluster, close } = await openCluster({ kubeconfig });
  await requireCrds(cluster, true, signal);
  const objects = largeFleetObjects({ clusters: 40, profiles: 24 }).filter(({ kind }) => kind !== "CustomResourceDefinition");
  await createObjects(cluster, objects.map(withoutServerFields));
  close();
}

function withoutServerFields(object: KubeObject): KubeObject {
  const { uid: _uid, resourceVersion: _version, creationTimestamp: _time, generation: _generation, ...metadata } = object.metadata;
  return { ...object, metadata };
}
