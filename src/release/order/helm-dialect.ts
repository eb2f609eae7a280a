import type { DeletePolicy, Operation, Stage } from "./ordering-constraints.ts";
import { anyInteger, integerReader, enumReader, enumListReader, type Dialect, type StagesByOperation } from "./annotation-reader.ts";
import { compareStages } from "./stage-order.ts";

export type OperationStage = readonly [Operation, Stage];

/** The stage of each hook event. `test-success` is the name of `test` in Helm 2. */
export const hookEventStages: Readonly<Record<string, OperationStage>> = {
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

export const helmDialect: Dialect = {
  name: "Helm",
  owns: (key) => key.startsWith("helm.sh/"),
  keys: {
    "helm.sh/hook": enumListReader(hookEventStages, (events) => ({ hook: stagesByOperation(events) })),
    "helm.sh/hook-weight": integerReader(anyInteger, (hookWeight) => ({ hookWeight })),
    // An empty annotation means no policy: the hook is updated in place.
    "helm.sh/hook-delete-policy": enumListReader(deletePolicies, (hookDeletePolicies) => ({ hookDeletePolicies }), { empty: true }),
    "helm.sh/resource-policy": (annotation) =>
      // werf's policy replaces Helm's, which is then ignored.
      "werf.io/resource-policy" in annotation.annotations ? {} : resourcePolicy(annotation),
  },
  silent: ["helm.sh/chart", "helm.sh/hook-output-log-policy"],
};

const resourcePolicy = enumReader({ keep: true }, () => ({ keep: { delete: true } }));

export function stagesByOperation(events: readonly OperationStage[]): StagesByOperation {
  const stages: Partial<Record<Operation, readonly Stage[]>> = {};
  for (const [operation, stage] of events) stages[operation] = [...new Set([...(stages[operation] ?? []), stage])].toSorted(compareStages);
  return stages;
}
