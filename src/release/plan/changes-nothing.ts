import type { Plan, Step } from "./plan.ts";

/** Whether a plan leaves all resources as they are, hooks aside. */
export function changesNothing({ steps }: Plan): boolean {
  return !steps.some(isChange);
}

function isChange({ action, hook }: Step): boolean {
  if (hook === true) return false;
  return action.verb === "apply" ? action.change !== "unchanged" : action.verb === "delete";
}
