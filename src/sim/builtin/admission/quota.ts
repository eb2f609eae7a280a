import { fieldsAt, listAt, numberAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../object/index.ts";
import { amountsAt, podTotals, printed, qosClassOf, type Amounts } from "../pod-resources.ts";
import { add, compare, quantityOf, subtract, wholeQuantity, zero, type Quantity } from "../quantity.ts";
import { refuse, type Admission, type AdmissionRequest } from "./request.ts";

// Models pkg/quota/v1/evaluator/core and apiserver pkg/admission/plugin/resourcequota/controller.go

const one = wholeQuantity(1);
const compute = ["cpu", "memory", "ephemeral-storage"];

function computeUsage(requests: Amounts, limits: Amounts): Map<string, Quantity> {
  const usage = new Map<string, Quantity>([["pods", one]]);
  for (const [name, amount] of requests) {
    if (compute.includes(name)) usage.set(name, amount);
    if (compute.includes(name) || name.startsWith("hugepages-") || name.includes("/")) usage.set(`requests.${name}`, amount);
    if (name.startsWith("hugepages-")) usage.set(name, amount);
  }
  for (const [name, amount] of limits) if (compute.includes(name)) usage.set(`limits.${name}`, amount);
  return usage;
}

function podUsage(pod: KubeObject): Map<string, Quantity> {
  const counted = new Map([["count/pods", one]]);
  if (["Failed", "Succeeded"].includes(stringAt(pod, "status.phase", ""))) return counted;
  return new Map([...counted, ...computeUsage(podTotals(pod["spec"], "requests"), podTotals(pod["spec"], "limits"))]);
}

function serviceUsage(service: KubeObject): Map<string, Quantity> {
  const type = stringAt(service, "spec.type", "");
  const ports = listAt(service, "spec.ports");
  const allocates = fieldsAt(service, "spec")["allocateLoadBalancerNodePorts"] !== false;
  const nodePorts =
    type === "NodePort" || (type === "LoadBalancer" && allocates)
      ? ports.length
      : ports.filter((port) => numberAt(port, "nodePort", 0) !== 0).length;
  return new Map([
    ["count/services", one],
    ["services", one],
    ["services.nodeports", wholeQuantity(type === "NodePort" || type === "LoadBalancer" ? nodePorts : 0)],
    ["services.loadbalancers", wholeQuantity(type === "LoadBalancer" ? 1 : 0)],
  ]);
}

function claimUsage(claim: KubeObject): Map<string, Quantity> {
  const storage = quantityOf(fieldsAt(claim, "spec.resources.requests")["storage"]);
  const usage = new Map([
    ["count/persistentvolumeclaims", one],
    ["persistentvolumeclaims", one],
    ["requests.storage", storage],
  ]);
  const name = stringAt(claim, "spec.storageClassName", "");
  if (name === "") return usage;
  return usage
    .set(`${name}.storageclass.storage.k8s.io/requests.storage`, storage)
    .set(`${name}.storageclass.storage.k8s.io/persistentvolumeclaims`, one);
}

const countedByName = new Set(["configmaps", "secrets", "replicationcontrollers", "resourcequotas"]);

/** What one object takes of every quota that could count it. */
export function usageOf(group: string, resource: string, object: KubeObject): Amounts {
  if (group === "" && resource === "pods") return podUsage(object);
  if (group === "" && resource === "services") return serviceUsage(object);
  if (group === "" && resource === "persistentvolumeclaims") return claimUsage(object);
  const counted = new Map([[`count/${group === "" ? resource : `${resource}.${group}`}`, one]]);
  return group === "" && countedByName.has(resource) ? counted.set(resource, one) : counted;
}

/** Whether a quota's scopes cover an object; only Pods have any. */
export function isInScope(quota: KubeObject, resource: string, object: KubeObject): boolean {
  const scopes = stringsAt(quota, "spec.scopes").map((scopeName): Fields => ({ scopeName, operator: "Exists", values: [] }));
  const all = [...scopes, ...listAt(quota, "spec.scopeSelector.matchExpressions")];
  return all.length === 0 || (resource === "pods" && all.every((scope) => holds(scope, object)));
}

function holds(scope: Fields, pod: KubeObject): boolean {
  const timed = numberAt(pod, "spec.activeDeadlineSeconds") !== undefined;
  const bestEffort = qosClassOf(pod["spec"]) === "BestEffort";
  const priority = stringAt(pod, "spec.priorityClassName", "");
  const values = stringsAt(scope, "values");
  switch (scope["scopeName"]) {
    case "Terminating":
      return timed;
    case "NotTerminating":
      return !timed;
    case "BestEffort":
      return bestEffort;
    case "NotBestEffort":
      return !bestEffort;
    case "PriorityClass":
      return classHolds(stringAt(scope, "operator", "Exists"), priority, values);
    default:
      return false;
  }
}

function classHolds(operator: string, priority: string, values: readonly string[]): boolean {
  if (operator === "In") return values.includes(priority);
  if (operator === "NotIn") return priority !== "" && !values.includes(priority);
  return operator === "Exists" ? priority !== "" : priority === "";
}

/** The objects of a namespace that quotas can count, with the plural they are counted by. */
export type Counted = { readonly group: string; readonly resource: string; readonly object: KubeObject };

/** The status that the quota controller writes: what the objects of the namespace take of what is limited. */
export function quotaStatus(quota: KubeObject, objects: readonly Counted[]): { readonly hard: Fields; readonly used: Fields } {
  const hard = fieldsAt(quota, "spec.hard");
  const used = new Map<string, Quantity>(Object.keys(hard).map((name) => [name, zero]));
  for (const { group, resource, object } of objects) {
    if (!isInScope(quota, resource, object)) continue;
    for (const [name, amount] of usageOf(group, resource, object)) {
      const before = used.get(name);
      if (before !== undefined) used.set(name, add(before, amount));
    }
  }
  return { hard, used: printed(used) };
}

const demanded = new Set(["cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"]);

/** A quota on compute wants every container to say what it needs. */
function unspecified(hard: Amounts, pod: KubeObject): string | undefined {
  if (Object.keys(fieldsAt(pod, "spec.resources")).length > 0) return undefined;
  const containers = [...listAt(pod, "spec.containers"), ...listAt(pod, "spec.initContainers")];
  const wanted = [...hard.keys()].filter((name) => demanded.has(name)).toSorted();
  const missing = wanted.flatMap((name) => {
    const without = containers.filter(
      (each) => !computeUsage(amountsAt(each, "resources.requests"), amountsAt(each, "resources.limits")).has(name),
    );
    const names = [...new Set(without.map((each) => stringAt(each, "name", "")))].toSorted();
    return names.length === 0 ? [] : [`${name} for: ${names.join(",")}`];
  });
  return missing.length === 0 ? undefined : `must specify ${missing.join("; ")}`;
}

function shown(amounts: Amounts, names: readonly string[]): string {
  const texts = printed(names.map((name) => [name, amounts.get(name) ?? zero] as const));
  return names
    .toSorted()
    .map((name) => `${name}=${texts[name]}`)
    .join(",");
}

/** A quota after a write: the status that must be stored together with the object, so that the next write sees it. */
export type Charge = { readonly quota: KubeObject; readonly used: Fields };

export type QuotaVerdict = Admission & { readonly charges?: readonly Charge[] };

function deltaOf({ operation, group, resource, object, live }: AdmissionRequest): Amounts {
  const usage = usageOf(group, resource, object);
  if (operation === "create" || live === undefined) return usage;
  const before = usageOf(group, resource, live);
  return new Map([...usage].map(([name, amount]) => [name, subtract(amount, before.get(name) ?? zero)]));
}

/** Refuses what a quota of the namespace has no room for. Quotas without a status yet limit nothing, as their controller has not seen them. */
export function resourceQuota(request: AdmissionRequest): QuotaVerdict {
  const { operation, object, reader, resource, group, subresource } = request;
  const namespace = object.metadata.namespace ?? "";
  if (namespace === "" || operation === "delete" || subresource !== undefined) return { object };
  const delta = new Map([...deltaOf(request)].filter(([, amount]) => amount.nano > 0n));
  const charges: Charge[] = [];
  for (const quota of reader.list("", "ResourceQuota", namespace)) {
    const hard = amountsAt(quota, "status.hard");
    const limited = [...delta.keys()].filter((name) => hard.has(name));
    if (!isInScope(quota, resource, object)) continue;
    const isNewPod = group === "" && resource === "pods" && operation === "create";
    const unsaid = isNewPod ? unspecified(hard, object) : undefined;
    if (unsaid !== undefined) return refuse(request, `failed quota: ${quota.metadata.name}: ${unsaid}`);
    if (limited.length === 0) continue;
    const used = amountsAt(quota, "status.used");
    const total = new Map(limited.map((name) => [name, add(used.get(name) ?? zero, delta.get(name) ?? zero)]));
    const exceeded = limited.filter((name) => compare(total.get(name) ?? zero, hard.get(name) ?? zero) > 0);
    if (exceeded.length > 0) {
      const parts = `requested: ${shown(delta, exceeded)}, used: ${shown(used, exceeded)}, limited: ${shown(hard, exceeded)}`;
      return refuse(request, `exceeded quota: ${quota.metadata.name}, ${parts}`);
    }
    charges.push({ quota, used: { ...fieldsAt(quota, "status.used"), ...printed(total) } });
  }
  return { object, charges };
}
