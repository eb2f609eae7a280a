import { conditionsOf, type Condition, type KubeObject } from "../../../core/object/index.ts";
import { timestamp } from "../pod/index.ts";

/** A Deployment's condition knows, beside when its status changed, when it was last confirmed. */
export type DeploymentCondition = Condition & { readonly lastUpdateTime?: string };

type Said = Pick<Condition, "type" | "status" | "reason" | "message">;

export function conditionAt(nowMs: number, said: Said): DeploymentCondition {
  const now = timestamp(nowMs);
  return { ...said, lastUpdateTime: now, lastTransitionTime: now };
}

/** Adds or replaces what is to be said, at the end; what was said before in the same words stays. See `withCondition`. */
export function withSaid(conditions: readonly DeploymentCondition[], nowMs: number, said: Said): readonly DeploymentCondition[] {
  const present = conditions.find(({ type }) => type === said.type);
  const same = present?.status === said.status && present.reason === said.reason;
  return same ? conditions : withCondition(conditions, conditionAt(nowMs, said));
}

export function deploymentConditions(deployment: KubeObject): readonly DeploymentCondition[] {
  return conditionsOf(deployment);
}

export function progressingOf(conditions: readonly DeploymentCondition[]): DeploymentCondition | undefined {
  return conditions.find(({ type }) => type === "Progressing");
}

export function without(conditions: readonly DeploymentCondition[], type: string): readonly DeploymentCondition[] {
  return conditions.filter((item) => item.type !== type);
}

/**
 * Adds or replaces a condition, at the end. One of the same status and reason stays as it is, message and times included.
 *
 * Models pkg/controller/deployment/util SetDeploymentCondition
 */
export function withCondition(conditions: readonly DeploymentCondition[], next: DeploymentCondition): readonly DeploymentCondition[] {
  const present = conditions.find(({ type }) => type === next.type);
  if (present?.status !== next.status) return [...without(conditions, next.type), next];
  if (present.reason === next.reason) return conditions;
  const since = present.lastTransitionTime;
  return [...without(conditions, next.type), since === undefined ? next : { ...next, lastTransitionTime: since }];
}
