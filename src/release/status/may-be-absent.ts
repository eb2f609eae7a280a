import { numberAt, type KubeObject } from "../../core/object/index.ts";
import type { DeletePolicy } from "../order/index.ts";

/**
 * Whether an object of a deployed release may be missing because it has completed: a Job with a TTL, or one with delete
 * policy `succeeded`.
 */
export function mayBeAbsent(object: KubeObject, policies: readonly DeletePolicy[] = []): boolean {
  const passes = object.kind === "Job" && numberAt(object, "spec.ttlSecondsAfterFinished", -1) >= 0;
  return passes || policies.includes("succeeded");
}
