import type { Answer } from "../../core/exchange/index.ts";
import {
  fieldsAt,
  findCondition,
  isDeleting,
  labelSelectorOf,
  listAt,
  numberAt,
  stringAt,
  valueAt,
  type KubeObject,
  type LabelSelectorObject,
} from "../../core/object/index.ts";
import type { ServedResource } from "../apiserver/index.ts";
import { badRequestError, forbiddenError, notFoundError, StatusError, type ApiStatus } from "../status-error.ts";
import { encodedAnswer } from "./answer.ts";
import type { RequestScope } from "./request-scope.ts";
import { deleteOptionsIn } from "./request-options.ts";
import { reviewRequestOf } from "./review/review-request.ts";

const budgetsKey = "poddisruptionbudgets.policy";

const evictions: ServedResource = {
  group: "policy",
  version: "v1",
  kind: "Eviction",
  plural: "evictions",
  singular: "eviction",
  namespaced: true,
  verbs: ["create"],
  shortNames: [],
  categories: [],
  subresources: new Set(),
  key: "evictions.policy",
  storageVersion: "v1",
};

/** Deletes a pod if its disruption budget allows it. Models pkg/registry/core/pod/storage/eviction.go */
export function evictionAnswer(scope: RequestScope): Answer {
  const { server, resource, target, query, encoder } = scope;
  const { object: eviction, warnings, validate } = reviewRequestOf(scope, evictions);
  if (eviction.metadata.name !== target.name) throw badRequestError("name in URL does not match name in Eviction object");
  const options = deleteOptionsIn(fieldsAt(eviction, "deleteOptions"), query);
  validate(eviction);
  const pod = server.read(resource.key, target.namespace, target.name);
  if (pod === undefined) throw notFoundError(resource, target.name);
  if (!ignoresBudgets(pod)) takeFromBudget(scope, pod, options.dryRun);
  if (!options.dryRun) server.components.updateStatus(resource.key, withDisruption(pod, server.timestamp()), "kube-apiserver");
  const { resourceVersion: _before, ...latest } = options;
  server.deleteAs(resource, target.namespace, target.name, { ...(options.dryRun ? options : latest), internal: true });
  const status: ApiStatus = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };
  return encodedAnswer(encoder, 201, status, warnings);
}

/** A pod that does not run disrupts nothing. */
function ignoresBudgets(pod: KubeObject): boolean {
  return ["Succeeded", "Failed", "Pending"].includes(stringAt(pod, "status.phase", "")) || isDeleting(pod);
}

function takeFromBudget({ server, target }: RequestScope, pod: KubeObject, dryRun: boolean): void {
  const [budget, ...more] = server.list(budgetsKey, target.namespace).filter((each) => selects(each, pod));
  if (budget === undefined) return;
  if (more.length > 0) {
    const message = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
    throw new StatusError(500, "", message);
  }
  if (isSpare(budget, pod)) return;
  checkAllowed(budget);
  if (dryRun) return;
  const status = { ...fieldsAt(budget, "status"), disruptionsAllowed: numberAt(budget, "status.disruptionsAllowed", 0) - 1 };
  server.components.updateStatus(budgetsKey, { ...budget, status }, "kube-apiserver");
}

function selects(budget: KubeObject, pod: KubeObject): boolean {
  try {
    const selector = valueAt(budget, "spec.selector") as LabelSelectorObject | undefined;
    return labelSelectorOf(selector).matches(pod.metadata.labels);
  } catch {
    return false; // a selector that cannot be read selects nothing
  }
}

/** A pod that is not ready does not count, so that its budget does not change. */
function isSpare(budget: KubeObject, pod: KubeObject): boolean {
  if (findCondition(pod, "Ready", "True") !== undefined) return false;
  if (stringAt(budget, "spec.unhealthyPodEvictionPolicy") === "AlwaysAllow") return true;
  const desired = numberAt(budget, "status.desiredHealthy", 0);
  return desired > 0 && numberAt(budget, "status.currentHealthy", 0) >= desired;
}

const violation = "Cannot evict pod as it would violate the pod's disruption budget.";

function checkAllowed(budget: KubeObject): void {
  const { name, generation = 0 } = budget.metadata;
  if (numberAt(budget, "status.observedGeneration", 0) < generation)
    throw tooManyRequests(`The disruption budget ${name} is still being processed by the server.`, { retryAfterSeconds: 10 });
  const allowed = numberAt(budget, "status.disruptionsAllowed", 0);
  if (allowed < 0) throw forbiddenError({ group: "policy", plural: "poddisruptionbudget" }, name, "pdb disruptions allowed is negative");
  if (allowed === 0) throw tooManyRequests(whyNone(budget));
}

function whyNone(budget: KubeObject): string {
  const { name } = budget.metadata;
  const [desired, current] = ["desiredHealthy", "currentHealthy"].map((field) => numberAt(budget, `status.${field}`, 0));
  const condition = findCondition(budget, "DisruptionAllowed", "False");
  if (condition?.reason === "SyncFailed" && condition.message)
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${condition.message}`;
  if (current! <= desired!) return `The disruption budget ${name} needs ${desired} healthy pods and has ${current} currently`;
  const why = condition?.message ? ` (${condition.reason}): ${condition.message}` : "";
  return `The disruption budget ${name} does not allow evicting pods currently${why}`;
}

function tooManyRequests(message: string, more: { readonly retryAfterSeconds?: number } = {}): StatusError {
  return new StatusError(429, "TooManyRequests", violation, { causes: [{ reason: "DisruptionBudget", message }], ...more });
}

/** Says in the pod's status that it is being evicted. */
function withDisruption(pod: KubeObject, now: string): KubeObject {
  const target = {
    type: "DisruptionTarget",
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: now,
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  };
  const others = listAt(pod, "status.conditions").filter((condition) => condition["type"] !== target.type);
  return { ...pod, status: { ...fieldsAt(pod, "status"), conditions: [...others, target] } };
}
