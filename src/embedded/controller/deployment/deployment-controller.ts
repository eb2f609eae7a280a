import { booleanAt, fieldsAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import { namespacedKeyOf, splitKey, type ControllerConstructor, type EmbeddedControllerContext } from "../controller.ts";
import { claimObjects, controllerOf, isControlledBy, OrphanIndex, OwnWriteFilter, ownerSelectorOf, watchOwned } from "../owner/index.ts";
import { newDeploymentCondition, deploymentConditions, progressingCondition, setDeploymentCondition } from "./deployment-condition.ts";
import { hasProgressDeadline } from "./progress.ts";
import { rolloutRecreate } from "./rollout-recreate.ts";
import { findNewSet, syncNewReplicaSet } from "./new-replica-set.ts";
import { rolloutRolling } from "./rollout-rolling.ts";
import {
  byCreation,
  deploymentsResource,
  isPaused,
  isRollingUpdate,
  replicaSets,
  deploymentSource,
  updateDeploymentStatus,
  type Rollout,
} from "./rollout.ts";
import { isScaling, syncScale } from "./scale.ts";
import { syncStatus } from "./status.ts";

export const deploymentController: ControllerConstructor = (context) => {
  const { api } = context;
  const orphans = new OrphanIndex();
  const own = new OwnWriteFilter();

  return {
    name: deploymentSource,
    watches: {
      [deploymentsResource]: own.enqueueObject,
      [replicaSets]: watchOwned({ api, kind: "Deployment", resource: deploymentsResource, orphans }),
      pods: (change) => recreatingDeploymentOf(context, change),
    },
    reconcile: (key) => {
      const { namespace, name } = splitKey(key);
      const deployment = api.read(deploymentsResource, namespace, name);
      return deployment === undefined ? undefined : reconcile(context, own, deployment, orphans);
    },
  };
};

/** A recreating Deployment waits for its last old Pod to be deleted, while no ReplicaSet changes. */
function recreatingDeploymentOf({ api }: EmbeddedControllerContext, { type, object }: StoreEvent): string[] {
  if (type !== "DELETED") return [];
  const owner = controllerOf(object);
  if (owner?.kind !== "ReplicaSet") return [];
  const namespace = object.metadata.namespace ?? "";
  const above = controllerOf(api.read(replicaSets, namespace, owner.name) ?? object);
  if (above?.kind !== "Deployment") return [];
  const deployment = api.read(deploymentsResource, namespace, above.name);
  return deployment === undefined || isRollingUpdate(deployment) ? [] : [namespacedKeyOf(deployment)];
}

/** Models pkg/controller/deployment/deployment_controller.go syncDeployment */
function reconcile(
  context: EmbeddedControllerContext,
  ownWrites: OwnWriteFilter,
  deployment: KubeObject,
  orphans: OrphanIndex,
): number | undefined {
  const { api } = context;
  const namespace = deployment.metadata.namespace ?? "";
  const selector = ownerSelectorOf(deployment);
  const matches = ({ metadata }: KubeObject) => selector.matches(metadata.labels);
  const owned = api
    .ownedBy(deployment.metadata.uid ?? "")
    .flatMap(({ resource, object }) => (resource === replicaSets && isControlledBy(object, deployment) ? [object] : []));
  const sets = claimObjects({ api, owner: deployment, resource: replicaSets, matches }, owned, orphans.in(namespace)).sort(byCreation);
  const newSet = findNewSet(deployment, sets);
  const rollout: Rollout = { context, ownWrites, deployment, newSet, oldSets: sets.filter((set) => set !== newSet) };

  if (deployment.metadata.deletionTimestamp !== undefined) return void syncStatus(rollout);
  checkPausedConditions(rollout);
  syncNewReplicaSet(rollout);
  if (isPaused(deployment) || isScaling(rollout)) return void syncScale(rollout);
  return stringAt(deployment, "spec.strategy.type") === "Recreate" ? rolloutRecreate(rollout) : rolloutRolling(rollout);
}

/**
 * Records in the Progressing condition that the Deployment is paused or resumed, so that the progress deadline does not
 * expire meanwhile.
 *
 * Models pkg/controller/deployment/sync.go checkPausedConditions
 */
function checkPausedConditions(rollout: Rollout): void {
  const { deployment, context } = rollout;
  const conditions = deploymentConditions(deployment);
  const progressing = progressingCondition(conditions);
  if (!hasProgressDeadline(deployment) || progressing?.reason === "ProgressDeadlineExceeded") return;
  const paused = booleanAt(deployment, "spec.paused");
  if (paused === (progressing?.reason === "DeploymentPaused")) return;
  const content = paused
    ? { reason: "DeploymentPaused", message: "Deployment is paused" }
    : { reason: "DeploymentResumed", message: "Deployment is resumed" };
  const next = newDeploymentCondition(context.clock.now(), { type: "Progressing", status: "Unknown", ...content });
  updateDeploymentStatus(rollout, { ...fieldsAt(deployment, "status"), conditions: setDeploymentCondition(conditions, next) });
}
