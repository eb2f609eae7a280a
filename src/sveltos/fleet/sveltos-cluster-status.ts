import { gvkOf, type ManagedCluster } from "../api/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { booleanAt, equal, fieldsAt, numberAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import type { Reachability } from "./fleet-cluster.ts";

const versionLabel = "projectsveltos.io/k8s-version";

/** Writes reachability into the status of a SveltosCluster, as Sveltos' cluster manager does. Writes nothing if nothing changes. */
export async function writeSveltosClusterStatus(
  hub: Cluster,
  managed: ManagedCluster,
  reachability: Reachability,
  signal: AbortSignal,
): Promise<void> {
  if (managed.type !== "Sveltos" || reachability.state === "unknown" || managed.deleting) return;
  const { object } = managed;
  const status = statusFor(managed, reachability);
  const ref = { ...gvkOf("SveltosCluster"), namespace: managed.namespace, name: managed.name };
  let { resourceVersion } = object.metadata;
  // The resourceVersion makes a late write fail with a conflict instead of undoing a newer one.
  const at = () => ({ metadata: { resourceVersion } });
  if (!equal(status, ownedStatusOf(object))) {
    const written = await hub.patch(ref, { type: "merge", patch: { ...at(), status } }, { subresource: "status", signal });
    ({ resourceVersion } = written.metadata);
  }
  const version = reachability.state === "reached" ? labelFor(reachability.version) : undefined;
  if (version === undefined || managed.labels[versionLabel] === version) return;
  const { metadata } = at();
  await hub.patch(ref, { type: "merge", patch: { metadata: { ...metadata, labels: { [versionLabel]: version } } } }, { signal });
}

/** The failures in a row that the status has counted. A replica that takes a cluster over counts on from there. */
export function connectionFailuresOf({ object }: ManagedCluster): number {
  return ownedStatusOf(object).connectionFailures;
}

/** The fields that the fleet owns; null removes a field. */
type OwnedStatus = {
  readonly ready: boolean;
  readonly version: string | null;
  readonly connectionStatus: string | null;
  readonly connectionFailures: number;
  readonly failureMessage: string | null;
};

function ownedStatusOf(object: KubeObject): OwnedStatus {
  const status = fieldsAt(object, "status");
  return {
    ready: booleanAt(status, "ready"),
    version: stringAt(status, "version") ?? null,
    connectionStatus: stringAt(status, "connectionStatus") ?? null,
    connectionFailures: numberAt(status, "connectionFailures", 0),
    failureMessage: stringAt(status, "failureMessage") ?? null,
  };
}

/**
 * A cluster that was ready stays ready while it is unreachable; at the failure threshold it becomes Down.
 * Models sveltoscluster-manager controllers/sveltoscluster_controller.go reconcileNormal
 */
function statusFor(managed: ManagedCluster, reachability: Exclude<Reachability, { state: "unknown" }>): OwnedStatus {
  const before = ownedStatusOf(managed.object);
  switch (reachability.state) {
    case "reached":
      return { ready: true, version: reachability.version, connectionStatus: "Healthy", connectionFailures: 0, failureMessage: null };
    case "unreachable": {
      const isDown = reachability.failures >= managed.consecutiveFailureThreshold;
      const connectionStatus = isDown ? "Down" : before.connectionStatus;
      // The count stops at the threshold, so that an unreachable cluster is not written again and again.
      const connectionFailures = Math.min(reachability.failures, managed.consecutiveFailureThreshold);
      return { ...before, connectionStatus, connectionFailures, failureMessage: reachability.because };
    }
    case "refused":
      return { ...before, ready: false, failureMessage: reachability.because };
  }
}

/** `v1.35.8`, without the suffix of the provider, which a label value cannot hold. */
function labelFor(version: string): string | undefined {
  return /^v\d+\.\d+\.\d+/.exec(version)?.[0];
}
