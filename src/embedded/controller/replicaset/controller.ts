import { labelSelectorFor, mapAt, numberAt, type KubeObject, type LabelSelector } from "../../../core/object/index.ts";
import type { Refusal } from "../../refusal.ts";
import { partsOf, type MakeController, type World } from "../controller.ts";
import { claim, manager, Orphans, OwnWrites, ownedPods, selectorOf, watchOwned } from "../owner/index.ts";
import { concernsOwner, isActive, isTerminating, nextAvailabilityMs } from "../pod/index.ts";
import { manageReplicas } from "./replicas.ts";
import { isSameStatus, statusOf } from "./status.ts";

/** What the two kinds that this controller serves differ in. */
type Kind = {
  readonly name: string;
  readonly kind: string;
  readonly resource: string;
  readonly selectorOf: (owner: KubeObject) => LabelSelector;
  /** Whether the status counts Pods that are on their way out. */
  readonly countsTerminating: boolean;
};

/** What a round needs beside its set. */
type Setting = { readonly world: World; readonly kind: Kind; readonly orphans: Orphans; readonly own: OwnWrites };

export const replicaSetController: MakeController = (world) =>
  controllerFor(world, {
    name: "replicaset-controller",
    kind: "ReplicaSet",
    resource: "replicasets.apps",
    selectorOf,
    countsTerminating: true,
  });

export const replicationController: MakeController = (world) =>
  controllerFor(world, {
    name: "replication-controller",
    kind: "ReplicationController",
    resource: "replicationcontrollers",
    selectorOf: (owner) => labelSelectorFor(mapAt(owner, "spec.selector")),
    countsTerminating: false,
  });

function controllerFor(world: World, kind: Kind) {
  const { api } = world;
  const orphans = new Orphans();
  const own = new OwnWrites();
  const selects = (set: KubeObject, { metadata }: KubeObject) => kind.selectorOf(set).matches(metadata.labels);

  return {
    name: kind.name,
    watches: {
      [kind.resource]: own.itself,
      pods: watchOwned({ api, kind: kind.kind, resource: kind.resource, orphans, selects, concerns: concernsOwner }),
    },
    reconcile: (key: string) => {
      const { namespace, name } = partsOf(key);
      const set = api.read(kind.resource, namespace, name);
      return set === undefined ? undefined : reconcile({ world, kind, orphans, own }, set);
    },
  };
}

/** Models pkg/controller/replicaset/replica_set.go syncReplicaSet */
function reconcile({ world, kind, orphans, own }: Setting, set: KubeObject): number | undefined {
  const { api, clock } = world;
  const selector = kind.selectorOf(set);
  const matches = ({ metadata }: KubeObject) => selector.matches(metadata.labels);
  const owned = ownedPods(api, set);
  const candidates = [...orphans.in(set.metadata.namespace ?? "")].filter(isActive);
  const active = claim({ api, owner: set, resource: "pods", matches }, owned.filter(isActive), candidates);
  const terminating = owned.filter((pod) => isTerminating(pod) && matches(pod));

  let refusal: Refusal | undefined;
  if (set.metadata.deletionTimestamp === undefined) refusal = manageReplicas({ world, owner: set, source: kind.name }, active);

  const nowMs = clock.now();
  const status = statusOf(set, active, kind.countsTerminating ? terminating.length : undefined, refusal, nowMs);
  if (!isSameStatus(set, status)) own.during(() => api.updateStatus(kind.resource, { ...set, status }, manager));
  if (refusal !== undefined) throw refusal;

  const minReadySeconds = numberAt(set, "spec.minReadySeconds", 0);
  return minReadySeconds === 0 ? undefined : nextAvailabilityMs(active, minReadySeconds, nowMs);
}
