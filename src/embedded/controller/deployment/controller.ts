import { booleanAt, fieldsAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import type { Change } from "../../store/index.ts";
import { keyOf, partsOf, type MakeController, type World } from "../controller.ts";
import { claim, controllerOf, isControlledBy, Orphans, OwnWrites, selectorOf, watchOwned } from "../owner/index.ts";
import { conditionAt, deploymentConditions, progressingOf, withCondition } from "./condition.ts";
import { hasProgressDeadline } from "./progress.ts";
import { recreate } from "./recreate.ts";
import { findNewSet, syncRevision } from "./replica-set.ts";
import { rollUpdate } from "./rolling.ts";
import { byCreation, deployments, isPaused, isRollingUpdate, replicaSets, source, writeStatus, type Rollout } from "./rollout.ts";
import { isScaling, syncScale } from "./scale.ts";
import { syncStatus } from "./status.ts";

export const deploymentController: MakeController = (world) => {
  const { api } = world;
  const orphans = new Orphans();
  const own = new OwnWrites();

  return {
    name: source,
    watches: {
      [deployments]: own.itself,
      [replicaSets]: watchOwned({ api, kind: "Deployment", resource: deployments, orphans }),
      pods: (change) => waitingForTheEnd(world, change),
    },
    reconcile: (key) => {
      const { namespace, name } = partsOf(key);
      const deployment = api.read(deployments, namespace, name);
      return deployment === undefined ? undefined : reconcile(world, own, deployment, orphans);
    },
  };
};

/** A Deployment that recreates waits for its last old Pod to go; no ReplicaSet may change then. */
function waitingForTheEnd({ api }: World, { type, object }: Change): string[] {
  if (type !== "DELETED") return [];
  const owner = controllerOf(object);
  if (owner?.kind !== "ReplicaSet") return [];
  const namespace = object.metadata.namespace ?? "";
  const above = controllerOf(api.read(replicaSets, namespace, owner.name) ?? object);
  if (above?.kind !== "Deployment") return [];
  const deployment = api.read(deployments, namespace, above.name);
  return deployment === undefined || isRollingUpdate(deployment) ? [] : [keyOf(deployment)];
}

/** Models pkg/controller/deployment/deployment_controller.go syncDeployment */
function reconcile(world: World, own: OwnWrites, deployment: KubeObject, orphans: Orphans): number | undefined {
  const { api } = world;
  const namespace = deployment.metadata.namespace ?? "";
  const selector = selectorOf(deployment);
  const matches = ({ metadata }: KubeObject) => selector.matches(metadata.labels);
  const owned = api
    .ownedBy(deployment.metadata.uid ?? "")
    .flatMap(({ resource, object }) => (resource === replicaSets && isControlledBy(object, deployment) ? [object] : []));
  const sets = claim({ api, owner: deployment, resource: replicaSets, matches }, owned, orphans.in(namespace)).sort(byCreation);
  const newSet = findNewSet(deployment, sets);
  const rollout: Rollout = { world, own, deployment, newSet, oldSets: sets.filter((set) => set !== newSet) };

  if (deployment.metadata.deletionTimestamp !== undefined) return void syncStatus(rollout);
  notePause(rollout);
  syncRevision(rollout);
  if (isPaused(deployment) || isScaling(rollout)) return void syncScale(rollout);
  return stringAt(deployment, "spec.strategy.type") === "Recreate" ? recreate(rollout) : rollUpdate(rollout);
}

/**
 * Says in the Progressing condition that the Deployment is paused or goes on, so that no deadline runs out meanwhile.
 *
 * Models pkg/controller/deployment/sync.go checkPausedConditions
 */
function notePause(rollout: Rollout): void {
  const { deployment, world } = rollout;
  const conditions = deploymentConditions(deployment);
  const progressing = progressingOf(conditions);
  if (!hasProgressDeadline(deployment) || progressing?.reason === "ProgressDeadlineExceeded") return;
  const paused = booleanAt(deployment, "spec.paused");
  if (paused === (progressing?.reason === "DeploymentPaused")) return;
  const said = paused
    ? { reason: "DeploymentPaused", message: "Deployment is paused" }
    : { reason: "DeploymentResumed", message: "Deployment is resumed" };
  const next = conditionAt(world.clock.now(), { type: "Progressing", status: "Unknown", ...said });
  writeStatus(rollout, { ...fieldsAt(deployment, "status"), conditions: withCondition(conditions, next) });
}
