import type { DeletePolicy, Operation, Stage } from "./claim.ts";
import { anyInteger, integer, oneOf, wordsOf, type Dialect, type Stages } from "./reading.ts";
import { byStage } from "./stage.ts";

export type Event = readonly [Operation, Stage];

/** When hooks run. `test-success` is what `test` was called in Helm 2. */
export const hookEvents: Readonly<Record<string, Event>> = {
  "pre-install": ["install", "pre"],
  "post-install": ["install", "post"],
  "pre-upgrade": ["upgrade", "pre"],
  "post-upgrade": ["upgrade", "post"],
  "pre-rollback": ["rollback", "pre"],
  "post-rollback": ["rollback", "post"],
  "pre-delete": ["delete", "pre"],
  "post-delete": ["delete", "post"],
  test: ["test", "pre"],
  "test-success": ["test", "pre"],
};

const deletePolicies: Readonly<Record<string, DeletePolicy>> = {
  "before-hook-creation": "before-creation",
  "hook-succeeded": "succeeded",
  "hook-failed": "failed",
};

export const helm: Dialect = {
  name: "Helm",
  owns: (key) => key.startsWith("helm.sh/"),
  keys: {
    "helm.sh/hook": wordsOf(hookEvents, (events) => ({ hook: stagesOf(events) })),
    "helm.sh/hook-weight": integer(anyInteger, (hookWeight) => ({ hookWeight })),
    // Present and empty is no policy at all: the hook is updated in place.
    "helm.sh/hook-delete-policy": wordsOf(deletePolicies, (hookDeletePolicies) => ({ hookDeletePolicies }), { empty: true }),
    "helm.sh/resource-policy": (reading) =>
      // werf's own policy takes the place of Helm's, which is then not looked at.
      "werf.io/resource-policy" in reading.annotations ? {} : resourcePolicy(reading),
  },
  silent: ["helm.sh/chart", "helm.sh/hook-output-log-policy"],
};

const resourcePolicy = oneOf({ keep: true }, () => ({ keep: { delete: true } }));

export function stagesOf(events: readonly Event[]): Stages {
  const stages: Partial<Record<Operation, readonly Stage[]>> = {};
  for (const [operation, stage] of events) stages[operation] = [...new Set([...(stages[operation] ?? []), stage])].toSorted(byStage);
  return stages;
}
