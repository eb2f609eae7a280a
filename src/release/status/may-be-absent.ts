import { numberAt, type KubeObject } from "../../core/object/index.ts";
import type { DeletePolicy } from "../order/index.ts";

/** Tells whether an object of a deployed release that is not there is as it should be: it has done its part. */
export function mayBeAbsent(object: KubeObject, policies: readonly DeletePolicy[] = []): boolean {
  const passes = object.kind === "Job" && numberAt(object, "spec.ttlSecondsAfterFinished", -1) >= 0;
  return passes || policies.includes("succeeded");
}
