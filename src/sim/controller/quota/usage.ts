import { fieldsAt, listAt, stringAt, stringsAt, type KubeObject } from "../../../object/index.ts";
import { podOf, type Pod } from "../../behaviour/index.ts";
import { add, podTotals, printQuantity, qosClassOf, quantityOf, type Quantity } from "../../builtin/index.ts";

/** The objects of one resource in the quota's namespace. */
export type ObjectsOf = (resource: string) => readonly KubeObject[];

/**
 * What a namespace uses of each thing that a quota limits, by the names in its `spec.hard`. A name that nobody counts
 * has no usage. Models pkg/quota/v1/evaluator/core
 */
export function usageOf(quota: KubeObject, objectsOf: ObjectsOf): Readonly<Record<string, string>> {
  const pods = lazily(() =>
    objectsOf("pods")
      .map(podOf)
      .filter((pod) => inScopes(quota, pod)),
  );
  const used: Record<string, string> = {};
  for (const name of Object.keys(fieldsAt(quota, "spec.hard"))) {
    const amount = amountOf(name, objectsOf, pods);
    if (amount !== undefined) used[name] = printQuantity(amount);
  }
  return used;
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

const counted: Readonly<Record<string, string>> = {
  persistentvolumeclaims: "persistentvolumeclaims",
  services: "services",
  secrets: "secrets",
  configmaps: "configmaps",
  replicationcontrollers: "replicationcontrollers",
  resourcequotas: "resourcequotas",
};

function amountOf(name: string, objectsOf: ObjectsOf, pods: () => readonly Pod[]): Quantity | undefined {
  if (name.startsWith("count/")) return name === "count/pods" ? whole(pods().length) : whole(objectsOf(name.slice("count/".length)).length);
  if (name === "pods") return whole(pods().filter(isLive).length);
  const resource = counted[name];
  if (resource !== undefined) return whole(objectsOf(resource).length);
  if (name === "services.loadbalancers")
    return whole(objectsOf("services").filter((service) => stringAt(service, "spec.type") === "LoadBalancer").length);
  if (name === "services.nodeports")
    return whole(
      objectsOf("services")
        .map(nodePorts)
        .reduce((sum, ports) => sum + ports, 0),
    );
  return storageAmount(name, objectsOf) ?? computeAmount(name, pods);
}

function whole(count: number): Quantity {
  return quantityOf(count);
}

const none: Quantity = quantityOf(0);

function nodePorts(service: KubeObject): number {
  const type = stringAt(service, "spec.type");
  if (type !== "NodePort" && type !== "LoadBalancer") return 0;
  return listAt(service, "spec.ports").filter(({ nodePort }) => typeof nodePort === "number" && nodePort > 0).length;
}

const classSuffix = ".storageclass.storage.k8s.io/";

function storageAmount(name: string, objectsOf: ObjectsOf): Quantity | undefined {
  const at = name.indexOf(classSuffix);
  const what = at < 0 ? name : name.slice(at + classSuffix.length);
  if (what !== "requests.storage" && (at < 0 || what !== "persistentvolumeclaims")) return undefined;
  const claims = objectsOf("persistentvolumeclaims").filter(
    (claim) => at < 0 || stringAt(claim, "spec.storageClassName") === name.slice(0, at),
  );
  if (what === "persistentvolumeclaims") return whole(claims.length);
  return claims.map((claim) => quantityOf(fieldsAt(claim, "spec.resources.requests")["storage"])).reduce(add, none);
}

/** `cpu` and `memory` by themselves mean requests. */
function computeAmount(name: string, pods: () => readonly Pod[]): Quantity | undefined {
  const isLimit = name.startsWith("limits.");
  const isRequest = name.startsWith("requests.");
  const resource = isLimit || isRequest ? name.slice(name.indexOf(".") + 1) : name;
  const isPlain = resource === "cpu" || resource === "memory" || resource === "ephemeral-storage";
  if (!isLimit && !isRequest && !isPlain) return undefined;
  return pods()
    .filter(isLive)
    .map((pod) => podTotals(pod.spec, isLimit ? "limits" : "requests").get(resource) ?? none)
    .reduce(add, none);
}

/** Models pkg/quota/v1/evaluator/core/pods.go QuotaV1Pod: a pod that ended, or should have, counts no more. */
function isLive({ status }: Pod): boolean {
  return status?.phase !== "Succeeded" && status?.phase !== "Failed";
}

function inScopes(quota: KubeObject, pod: Pod): boolean {
  const named = stringsAt(quota, "spec.scopes").map((scope) => ({ scope, operator: "Exists", values: [] as readonly string[] }));
  const selected = listAt(quota, "spec.scopeSelector.matchExpressions").map((expression) => ({
    scope: stringAt(expression, "scopeName", ""),
    operator: stringAt(expression, "operator", "Exists"),
    values: stringsAt(expression, "values"),
  }));
  return [...named, ...selected].every(({ scope, operator, values }) => inScope(pod, scope, operator, values));
}

function inScope(pod: Pod, scope: string, operator: string, values: readonly string[]): boolean {
  const priorityClass = stringAt(pod, "spec.priorityClassName", "");
  switch (scope) {
    case "Terminating":
      return (pod.spec.activeDeadlineSeconds ?? -1) >= 0;
    case "NotTerminating":
      return (pod.spec.activeDeadlineSeconds ?? -1) < 0;
    case "BestEffort":
      return qosClassOf(pod.spec) === "BestEffort";
    case "NotBestEffort":
      return qosClassOf(pod.spec) !== "BestEffort";
    case "PriorityClass":
      if (operator === "Exists") return priorityClass !== "";
      if (operator === "DoesNotExist") return priorityClass === "";
      return values.includes(priorityClass) === (operator === "In");
    default:
      return false;
  }
}
