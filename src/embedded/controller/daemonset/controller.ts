import { equal, fieldsAt, type KubeObject } from "../../../core/object/index.ts";
import type { Change } from "../../store/index.ts";
import { itself, keyOf, partsOf, type MakeController, type World } from "../controller.ts";
import { controllerRevisions, ownedRevisions } from "../history/index.ts";
import { claim, manager, Orphans, ownedPods, selectorOf, watchOwned } from "../owner/index.ts";
import { concernsOwner, nextAvailabilityMs } from "../pod/index.ts";
import { FailedPods } from "./failed-pods.ts";
import { carryOut, placementMoves } from "./placement.ts";
import { syncRevision, truncateHistory } from "./revision.ts";
import { updateMoves } from "./rolling.ts";
import { daemonSets, isRolling, lookAt, minReadySeconds, source } from "./set.ts";
import { statusOf } from "./status.ts";
import { hashOf } from "./template.ts";

/** What the controller remembers between looks; all of it can be found again. */
type Memory = { readonly pods: Orphans; readonly revisions: Orphans; readonly failed: FailedPods };

export const daemonSetController: MakeController = (world) => {
  const { api } = world;
  const memory: Memory = { pods: new Orphans(), revisions: new Orphans(), failed: new FailedPods() };

  return {
    name: source,
    watches: {
      [daemonSets]: itself,
      nodes: (change) => (concernsPlacement(change) ? api.list(daemonSets).map(keyOf) : []),
      [controllerRevisions]: (change) => {
        memory.revisions.note(change);
        return [];
      },
      pods: watchOwned({ api, kind: "DaemonSet", resource: daemonSets, orphans: memory.pods, concerns: concernsOwner }),
    },
    reconcile: (key) => {
      const { namespace, name } = partsOf(key);
      const set = api.read(daemonSets, namespace, name);
      return set === undefined || set.metadata.deletionTimestamp !== undefined ? undefined : reconcile(world, set, memory);
    },
  };
};

/** Heartbeats and the like change nothing about who runs where. */
function concernsPlacement({ object, previous }: Change): boolean {
  return previous === undefined || !equal(object["spec"], previous["spec"]) || !equal(object.metadata.labels, previous.metadata.labels);
}

/** Models pkg/controller/daemon/daemon_controller.go syncDaemonSet */
function reconcile(world: World, set: KubeObject, memory: Memory): number | undefined {
  const { api } = world;
  const { current, old } = syncRevision(api, set, ownedRevisions(api, set, memory.revisions));
  const pods = claimPods(world, set, memory.pods);
  const hash = hashOf(current) ?? current.metadata.name;
  const sync = lookAt(world, set, hash, pods);

  const placement = placementMoves(sync, memory.failed);
  const idle = placement.create.length + placement.end.length === 0;
  const refusal = carryOut(sync, idle && isRolling(set) ? updateMoves(sync) : placement);
  if (refusal === undefined) truncateHistory(api, set, old, pods);

  const after = lookAt(world, set, hash, ownedPods(api, set));
  const status = statusOf(after);
  if (!equal(fieldsAt(set, "status"), status)) api.updateStatus(daemonSets, { ...set, status }, manager);
  if (refusal !== undefined) throw refusal;
  const availableMs = minReadySeconds(set) === 0 ? undefined : nextAvailabilityMs(pods, minReadySeconds(set), after.nowMs);
  return availableMs === undefined ? placement.againMs : Math.min(availableMs, placement.againMs ?? Infinity);
}

function claimPods({ api }: World, set: KubeObject, orphans: Orphans): KubeObject[] {
  const selector = selectorOf(set);
  const matches = ({ metadata }: KubeObject) => selector.matches(metadata.labels);
  return claim({ api, owner: set, resource: "pods", matches }, ownedPods(api, set), orphans.in(set.metadata.namespace ?? ""));
}
