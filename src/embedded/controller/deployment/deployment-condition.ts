import { conditionsOf, type Condition, type KubeObject } from "../../../core/object/index.ts";
import { timestamp } from "../pod/index.ts";

/** A Deployment's condition also has the time of its last update. */
export type DeploymentCondition = Condition & { readonly lastUpdateTime?: string };

type ConditionContent = Pick<Condition, "type" | "status" | "reason" | "message">;

export function newDeploymentCondition(nowMs: number, content: ConditionContent): DeploymentCondition {
  const now = timestamp(nowMs);
  return { ...content, lastUpdateTime: now, lastTransitionTime: now };
}

/** Adds or replaces a condition at the end, unless one with the same status and reason exists. See `setDeploymentCondition`. */
export function setConditionContent(
  conditions: readonly DeploymentCondition[],
  nowMs: number,
  content: ConditionContent,
): readonly DeploymentCondition[] {
  const present = conditions.find(({ type }) => type === content.type);
  const same = present?.status === content.status && present.reason === content.reason;
  return same ? conditions : setDeploymentCondition(conditions, newDeploymentCondition(nowMs, content));
}

export function deploymentConditions(deployment: KubeObject): readonly DeploymentCondition[] {
  return conditionsOf(deployment);
}

export function progressingCondition(conditions: readonly DeploymentCondition[]): DeploymentCondition | undefined {
  return conditions.find(({ type }) => type === "Progressing");
}

export function removeDeploymentCondition(conditions: readonly DeploymentCondition[], type: string): readonly DeploymentCondition[] {
  return conditions.filter((item) => item.type !== type);
}

/**
 * Adds or replaces a condition at the end. One with the same status and reason stays unchanged, with its message and
 * times.
 *
 * Models pkg/controller/deployment/util SetDeploymentCondition
 */
export function setDeploymentCondition(
  conditions: readonly DeploymentCondition[],
  next: DeploymentCondition,
): readonly DeploymentCondition[] {
  const present = conditions.find(({ type }) => type === next.type);
  if (present?.status !== next.status) return [...removeDeploymentCondition(conditions, next.type), next];
  if (present.reason === next.reason) return conditions;
  const since = present.lastTransitionTime;
  return [...removeDeploymentCondition(conditions, next.type), since === undefined ? next : { ...next, lastTransitionTime: since }];
}
