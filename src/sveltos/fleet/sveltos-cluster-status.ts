import { gvkOf, type ManagedCluster } from "../api/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { booleanAt, equal, fieldsAt, numberAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import type { Reachability } from "./fleet-cluster.ts";

const versionLabel = "projectsveltos.io/k8s-version";

/** Says in a SveltosCluster how we get on with it, as Sveltos' cluster manager does. Nothing is written when it says so already. */
export async function writeSveltosClusterStatus(
  hub: Cluster,
  managed: ManagedCluster,
  reach: Reachability,
  signal: AbortSignal,
): Promise<void> {
  if (managed.type !== "Sveltos" || reach.state === "unknown" || managed.deleting) return;
  const { object } = managed;
  const status = statusFor(managed, reach);
  const ref = { ...gvkOf("SveltosCluster"), namespace: managed.namespace, name: managed.name };
  let { resourceVersion } = object.metadata;
  // Whatever has changed since is looked at first: a write that is late must not undo it.
  const at = () => ({ metadata: { resourceVersion } });
  if (!equal(status, ownedStatusOf(object))) {
    const written = await hub.patch(ref, { type: "merge", patch: { ...at(), status } }, { subresource: "status", signal });
    ({ resourceVersion } = written.metadata);
  }
  const version = reach.state === "reached" ? labelFor(reach.version) : undefined;
  if (version === undefined || managed.labels[versionLabel] === version) return;
  const { metadata } = at();
  await hub.patch(ref, { type: "merge", patch: { metadata: { ...metadata, labels: { [versionLabel]: version } } } }, { signal });
}

/** The fields that are ours; null where there should be nothing. */
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
 * A cluster that was ready once stays so while it cannot be reached; after so many failures in a row it is Down.
 * Models sveltoscluster-manager controllers/sveltoscluster_controller.go reconcileNormal
 */
function statusFor(managed: ManagedCluster, reach: Exclude<Reachability, { state: "unknown" }>): OwnedStatus {
  const before = ownedStatusOf(managed.object);
  switch (reach.state) {
    case "reached":
      return { ready: true, version: reach.version, connectionStatus: "Healthy", connectionFailures: 0, failureMessage: null };
    case "unreachable": {
      const isDown = reach.failures >= managed.consecutiveFailureThreshold;
      const connectionStatus = isDown ? "Down" : before.connectionStatus;
      // It counts as far as it says something, and is no reason to write for ever.
      const connectionFailures = Math.min(reach.failures, managed.consecutiveFailureThreshold);
      return { ...before, connectionStatus, connectionFailures, failureMessage: reach.because };
    }
    case "refused":
      return { ...before, ready: false, failureMessage: reach.because };
  }
}

/** `v1.35.8`: a label's value has no room for what providers add. */
function labelFor(version: string): string | undefined {
  return /^v\d+\.\d+\.\d+/.exec(version)?.[0];
}
