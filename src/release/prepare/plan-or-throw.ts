import { BadInput } from "../../core/fault/index.ts";
import { buildPlan, type Plan, type PlanInput } from "../plan/index.ts";

/** Builds a plan, and throws all its problems at once. */
export function planOrThrow(input: PlanInput): Plan {
  const planned = buildPlan(input);
  if ("problems" in planned) throw new BadInput(planned.problems);
  return planned.plan;
}
