import { conditionsOf, fieldsAt, listAt, numberAt, stringAt, valueAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { isPodFailed } from "./job-spec.ts";

/** The action of a Job's podFailurePolicy for a failed Pod. Without a matching rule a failure counts. */
type PodFailureAction =
  | { readonly action: "Ignore" | "FailIndex" | "Count" | "none" }
  | { readonly action: "FailJob"; readonly message: string };

/** Models pkg/controller/job/pod_failure_policy.go matchPodFailurePolicy */
export function matchPodFailurePolicy(job: KubeObject, pod: KubeObject): PodFailureAction {
  const rules = listAt(job, "spec.podFailurePolicy.rules");
  for (const [index, rule] of rules.entries()) {
    const why = matchOf(rule, pod);
    if (why === undefined) continue;
    const action = stringAt(rule, "action", "");
    if (action === "Ignore" || action === "FailIndex" || action === "Count") return { action };
    if (action === "FailJob") return { action, message: `${why} matching FailJob rule at index ${index}` };
  }
  return { action: "none" };
}

export function countsAsFailure(job: KubeObject, pod: KubeObject): boolean {
  return matchPodFailurePolicy(job, pod).action !== "Ignore";
}

/** The message of the FailJob rule that one of the failed Pods matches, if any. */
export function failJobMessage(job: KubeObject, pods: readonly KubeObject[]): string | undefined {
  if (valueAt(job, "spec.podFailurePolicy") === undefined) return undefined;
  for (const pod of pods) {
    const action = isPodFailed(pod, job) ? matchPodFailurePolicy(job, pod) : undefined;
    if (action?.action === "FailJob") return action.message;
  }
  return undefined;
}

/** The message of a rule's match; undefined when it does not match. */
function matchOf(rule: Fields, pod: KubeObject): string | undefined {
  const { namespace = "", name } = pod.metadata;
  if (rule["onExitCodes"] !== undefined) {
    const container = containerWithExitCode(pod, fieldsAt(rule, "onExitCodes"));
    if (container === undefined) return undefined;
    const exitCode = numberAt(container, "state.terminated.exitCode", 0);
    return `Container ${stringAt(container, "name", "")} for pod ${namespace}/${name} failed with exit code ${exitCode}`;
  }
  const patterns = listAt(rule, "onPodConditions");
  const met = conditionsOf(pod).find(({ type, status }) =>
    patterns.some((pattern) => pattern["type"] === type && pattern["status"] === status),
  );
  return met === undefined ? undefined : `Pod ${namespace}/${name} has condition ${met.type}`;
}

function containerWithExitCode(pod: KubeObject, wanted: Fields): Fields | undefined {
  const { containerName, operator, values } = wanted;
  const codes: ReadonlySet<unknown> = new Set(Array.isArray(values) ? values : []);
  const statuses = [...listAt(pod, "status.containerStatuses"), ...listAt(pod, "status.initContainerStatuses")];
  return statuses.find((status) => {
    const exitCode = numberAt(status, "state.terminated.exitCode", 0);
    if (exitCode === 0 || (typeof containerName === "string" && containerName !== status["name"])) return false;
    return operator === "In" ? codes.has(exitCode) : operator === "NotIn" && !codes.has(exitCode);
  });
}
