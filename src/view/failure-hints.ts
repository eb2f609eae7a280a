import type { Plan } from "../release/plan/index.ts";
import type { ProgressRow } from "./progress-table.ts";

/** What the user may do about a failed run that its messages do not say: flags of the command. */
export function failureHints(plan: Plan, rows: readonly ProgressRow[]): readonly string[] {
  const failures = rows.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  const hooks = new Set(plan.steps.filter(({ hook }) => hook === true).map(({ id }) => id));
  const isHook = failures.some(({ id }) => id !== undefined && hooks.has(id));
  const isUnscheduled = failures.some(({ because }) => because.includes(" cannot be scheduled: "));
  return [
    ...(plan.operation === "delete" && isHook ? ["hint: --no-hooks deletes the release without running its hooks"] : []),
    ...(isUnscheduled
      ? ["hint: --scheduling-timeout, or the annotation sluice.dev/scheduling-timeout, gives pods more time to find a node"]
      : []),
  ];
}
