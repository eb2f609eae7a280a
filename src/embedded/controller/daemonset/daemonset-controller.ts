import { equal, fieldsAt, type KubeObject } from "../../../core/object/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import { enqueueObject, namespacedKeyOf, splitKey, type ControllerConstructor, type EmbeddedControllerContext } from "../controller.ts";
import { controllerRevisions, ownedRevisions } from "../history/index.ts";
import { claimObjects, controllerManager, OrphanIndex, ownedPods, ownerSelectorOf, watchOwned } from "../owner/index.ts";
import { podChangeAffectsOwner, nextAvailabilityMs } from "../pod/index.ts";
import { FailedPodsBackoff } from "./failed-pods-backoff.ts";
import { syncNodes, podsShouldBeOnNodes } from "./sync-nodes.ts";
import { constructHistory, cleanupHistory } from "./daemonset-history.ts";
import { rollingUpdateChanges } from "./rolling-update.ts";
import { daemonSets, isDaemonSetRolling, daemonSyncOf, minReadySeconds, daemonSetSource } from "./daemon-sync.ts";
import { daemonSetStatusOf } from "./status.ts";
import { templateHashOf } from "./daemon-pod-template.ts";

/** State that the controller keeps between syncs; all of it can be rebuilt. */
type DaemonSetState = { readonly pods: OrphanIndex; readonly revisions: OrphanIndex; readonly failed: FailedPodsBackoff };

export const daemonSetController: ControllerConstructor = (context) => {
  const { api } = context;
  const state: DaemonSetState = { pods: new OrphanIndex(), revisions: new OrphanIndex(), failed: new FailedPodsBackoff() };

  return {
    name: daemonSetSource,
    watches: {
      [daemonSets]: enqueueObject,
      nodes: (change) => (affectsPlacement(change) ? api.list(daemonSets).map(namespacedKeyOf) : []),
      [controllerRevisions]: (change) => {
        state.revisions.observe(change);
        return [];
      },
      pods: watchOwned({ api, kind: "DaemonSet", resource: daemonSets, orphans: state.pods, concerns: podChangeAffectsOwner }),
    },
    reconcile: (key) => {
      const { namespace, name } = splitKey(key);
      const set = api.read(daemonSets, namespace, name);
      return set === undefined || set.metadata.deletionTimestamp !== undefined ? undefined : reconcile(context, set, state);
    },
  };
};

/** Heartbeats do not change where Pods run. */
function affectsPlacement({ object, previous }: StoreEvent): boolean {
  return previous === undefined || !equal(object["spec"], previous["spec"]) || !equal(object.metadata.labels, previous.metadata.labels);
}

/** Models pkg/controller/daemon/daemon_controller.go syncDaemonSet */
function reconcile(context: EmbeddedControllerContext, set: KubeObject, state: DaemonSetState): number | undefined {
  const { api } = context;
  const { current, old } = constructHistory(api, set, ownedRevisions(api, set, state.revisions));
  const pods = claimPods(context, set, state.pods);
  const hash = templateHashOf(current) ?? current.metadata.name;
  const sync = daemonSyncOf(context, set, hash, pods);

  const placement = podsShouldBeOnNodes(sync, state.failed);
  const idle = placement.nodesNeedingPods.length + placement.podsToDelete.length === 0;
  const statusError = syncNodes(sync, idle && isDaemonSetRolling(set) ? rollingUpdateChanges(sync) : placement);
  if (statusError === undefined) cleanupHistory(api, set, old, pods);

  const after = daemonSyncOf(context, set, hash, ownedPods(api, set));
  const status = daemonSetStatusOf(after);
  if (!equal(fieldsAt(set, "status"), status)) api.updateStatus(daemonSets, { ...set, status }, controllerManager);
  if (statusError !== undefined) throw statusError;
  const availableMs = minReadySeconds(set) === 0 ? undefined : nextAvailabilityMs(pods, minReadySeconds(set), after.nowMs);
  return availableMs === undefined ? placement.requeueAfterMs : Math.min(availableMs, placement.requeueAfterMs ?? Infinity);
}

function claimPods({ api }: EmbeddedControllerContext, set: KubeObject, orphans: OrphanIndex): KubeObject[] {
  const selector = ownerSelectorOf(set);
  const matches = ({ metadata }: KubeObject) => selector.matches(metadata.labels);
  return claimObjects({ api, owner: set, resource: "pods", matches }, ownedPods(api, set), orphans.in(set.metadata.namespace ?? ""));
}
