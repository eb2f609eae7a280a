import { labelSelectorFor, mapAt, numberAt, type KubeObject, type LabelSelector } from "../../../core/object/index.ts";
import type { StatusError } from "../../status-error.ts";
import { splitKey, type ControllerConstructor, type EmbeddedControllerContext } from "../controller.ts";
import { claimObjects, controllerManager, OrphanIndex, OwnWriteFilter, ownedPods, ownerSelectorOf, watchOwned } from "../owner/index.ts";
import { podChangeAffectsOwner, isPodActive, isPodTerminating, nextAvailabilityMs } from "../pod/index.ts";
import { manageReplicas } from "./manage-replicas.ts";
import { isSameStatus, replicaSetStatusOf } from "./status.ts";

/** The differences between ReplicaSets and ReplicationControllers. */
type ReplicaKind = {
  readonly name: string;
  readonly kind: string;
  readonly resource: string;
  readonly selectorOf: (owner: KubeObject) => LabelSelector;
  /** Whether the status counts terminating Pods. */
  readonly countsTerminating: boolean;
};

/** What a sync needs beside its set. */
type ReplicaSetContext = {
  readonly context: EmbeddedControllerContext;
  readonly kind: ReplicaKind;
  readonly orphans: OrphanIndex;
  readonly ownWrites: OwnWriteFilter;
};

export const replicaSetController: ControllerConstructor = (context) =>
  newReplicaController(context, {
    name: "replicaset-controller",
    kind: "ReplicaSet",
    resource: "replicasets.apps",
    selectorOf: ownerSelectorOf,
    countsTerminating: true,
  });

export const replicationController: ControllerConstructor = (context) =>
  newReplicaController(context, {
    name: "replication-controller",
    kind: "ReplicationController",
    resource: "replicationcontrollers",
    selectorOf: (owner) => labelSelectorFor(mapAt(owner, "spec.selector")),
    countsTerminating: false,
  });

function newReplicaController(context: EmbeddedControllerContext, kind: ReplicaKind) {
  const { api } = context;
  const orphans = new OrphanIndex();
  const ownWrites = new OwnWriteFilter();
  const selects = (set: KubeObject, { metadata }: KubeObject) => kind.selectorOf(set).matches(metadata.labels);

  return {
    name: kind.name,
    watches: {
      [kind.resource]: ownWrites.enqueueObject,
      pods: watchOwned({ api, kind: kind.kind, resource: kind.resource, orphans, selects, concerns: podChangeAffectsOwner }),
    },
    reconcile: (key: string) => {
      const { namespace, name } = splitKey(key);
      const set = api.read(kind.resource, namespace, name);
      return set === undefined ? undefined : reconcile({ context, kind, orphans, ownWrites }, set);
    },
  };
}

/** Models pkg/controller/replicaset/replica_set.go syncReplicaSet */
function reconcile({ context, kind, orphans, ownWrites }: ReplicaSetContext, set: KubeObject): number | undefined {
  const { api, clock } = context;
  const selector = kind.selectorOf(set);
  const matches = ({ metadata }: KubeObject) => selector.matches(metadata.labels);
  const owned = ownedPods(api, set);
  const candidates = [...orphans.in(set.metadata.namespace ?? "")].filter(isPodActive);
  const active = claimObjects({ api, owner: set, resource: "pods", matches }, owned.filter(isPodActive), candidates);
  const terminating = owned.filter((pod) => isPodTerminating(pod) && matches(pod));

  let statusError: StatusError | undefined;
  if (set.metadata.deletionTimestamp === undefined) statusError = manageReplicas({ context, owner: set, source: kind.name }, active);

  const nowMs = clock.now();
  const status = replicaSetStatusOf(set, active, kind.countsTerminating ? terminating.length : undefined, statusError, nowMs);
  if (!isSameStatus(set, status)) ownWrites.during(() => api.updateStatus(kind.resource, { ...set, status }, controllerManager));
  if (statusError !== undefined) throw statusError;

  const minReadySeconds = numberAt(set, "spec.minReadySeconds", 0);
  return minReadySeconds === 0 ? undefined : nextAvailabilityMs(active, minReadySeconds, nowMs);
}
