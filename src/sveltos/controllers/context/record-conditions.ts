import { newConditions } from "../../api/index.ts";
import type { Condition, KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "./controller-context.ts";

/**
 * Records an Event for every condition that an object gets with its next status: once for each change. That something is
 * being deployed is no news.
 */
export function recordConditions(
  object: KubeObject,
  conditions: readonly Condition[] | null | undefined,
  { telemetry }: Pick<ControllerContext, "telemetry">,
): void {
  for (const { type, reason, message } of newConditions(object, conditions ?? [])) {
    if (reason === "Deploying") continue;
    telemetry.recordEvent(object, { type: type === "Reconciling" ? "Normal" : "Warning", reason, message });
  }
}
