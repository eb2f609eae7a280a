import { newConditions } from "../../api/index.ts";
import type { Condition, KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "./controller-context.ts";

/** What is no news, and what was recorded where it has happened. */
const untold: ReadonlySet<string> = new Set(["Deploying", "WithdrawalFailed"]);

/**
 * Records an Event for every condition that an object gets with its next status: once for each change.
 */
export function recordConditions(
  object: KubeObject,
  conditions: readonly Condition[] | null | undefined,
  { telemetry }: Pick<ControllerContext, "telemetry">,
): void {
  for (const { type, reason, message } of newConditions(object, conditions ?? [])) {
    if (untold.has(reason)) continue;
    telemetry.recordEvent(object, { type: type === "Reconciling" ? "Normal" : "Warning", reason, message });
  }
}
