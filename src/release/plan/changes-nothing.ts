import type { Plan, Step } from "./plan.ts";

/** Tells whether a plan leaves the objects of a release as they are, hooks aside: nothing to change and nothing to remove. */
export function changesNothing({ steps }: Plan): boolean {
  return !steps.some(isChange);
}

function isChange({ action, hook }: Step): boolean {
  return hook !== true && (action.verb === "apply" || action.verb === "delete");
}
