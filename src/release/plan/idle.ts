import type { Plan, Step } from "./plan.ts";

/** Tells whether a plan leaves the cluster as it is, hooks aside: nothing to change, nothing to remove and nobody to wait for. */
export function isIdle({ steps }: Plan): boolean {
  return !steps.some(isWork);
}

function isWork({ action, hook }: Step): boolean {
  if (hook === true || action.verb === "join" || action.verb === "record") return false;
  return action.verb !== "await" || !action.external;
}
