import type { DeletePolicy, Operation, Stage } from "./ordering-constraints.ts";
import { choice, enumListReader, type AnnotationReader, type Dialect, type StagesByOperation } from "./annotation-reader.ts";
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

/** Helm reads words in any case. Models helm pkg/release/v1/util/manifest_sorter.go */
const hook: AnnotationReader = (annotation) => {
  const value = annotation.value.toLowerCase();
  const parsed = readHook({ ...annotation, value });
  if (value !== annotation.value && parsed.hook !== undefined)
    annotation.warn(`which Helm reads as ${JSON.stringify(value)}; expected small letters`);
  return parsed;
};

const readHook = enumListReader(hookEventStages, (events) => ({ hook: stagesByOperation(events) }));

/** Models Go's strconv.Atoi, whose error Helm takes for 0. */
const hookWeight: AnnotationReader = ({ value, warn }) => {
  const weight = Number(value);
  if (/^[+-]?\d+$/.test(value) && Number.isSafeInteger(weight)) return { hookWeight: weight === 0 ? 0 : weight };
  warn('which Helm takes for 0; expected an integer in quotes, for example "1"');
  return { hookWeight: 0 };
};

/** An empty annotation means no policy, and so does an unknown word: the hook is updated in place. */
const hookDeletePolicy: AnnotationReader = ({ value, warn }) => {
  const words = value.split(",").map((word) => word.trim());
  const found = words.map((word) => word.toLowerCase());
  const unknown = value.trim() === "" ? undefined : words.find((_, at) => !Object.hasOwn(deletePolicies, found[at]!));
  const expected = `expected a list, parted by commas, of ${choice(Object.keys(deletePolicies))}`;
  if (unknown !== undefined) warn(`of which Helm ignores ${JSON.stringify(unknown)}; ${expected}`);
  else if (words.some((word, at) => word !== found[at])) warn(`which Helm reads as ${JSON.stringify(found.join(","))}; ${expected}`);
  return {
    hookDeletePolicies: [...new Set(found.flatMap((word) => (Object.hasOwn(deletePolicies, word) ? [deletePolicies[word]!] : [])))],
  };
};

/** Whether Helm keeps the object. Models helm pkg/action/resource_policy.go */
export function isKeepPolicy(value: string | undefined): boolean {
  return value?.trim().toLowerCase() === "keep";
}

const resourcePolicy: AnnotationReader = ({ value, warn }) => {
  if (isKeepPolicy(value)) {
    if (value !== "keep") warn('which Helm reads as "keep"; expected keep');
    return { keep: { delete: true } };
  }
  warn("which Helm ignores, so the object is deleted when it leaves; expected keep");
  return {};
};

export const helmDialect: Dialect = {
  name: "Helm",
  owns: (key) => key.startsWith("helm.sh/"),
  keys: {
    "helm.sh/hook": hook,
    "helm.sh/hook-weight": hookWeight,
    "helm.sh/hook-delete-policy": hookDeletePolicy,
    "helm.sh/resource-policy": (annotation) =>
      // werf's policy replaces Helm's, which is then ignored.
      "werf.io/resource-policy" in annotation.annotations ? {} : resourcePolicy(annotation),
  },
  silent: ["helm.sh/chart", "helm.sh/hook-output-log-policy"],
};

export function stagesByOperation(events: readonly OperationStage[]): StagesByOperation {
  const stages: Partial<Record<Operation, readonly Stage[]>> = {};
  for (const [operation, stage] of events) stages[operation] = [...new Set([...(stages[operation] ?? []), stage])].toSorted(compareStages);
  return stages;
}
