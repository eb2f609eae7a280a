import { fieldsAt, listAt, stringAt, valueAt, type KubeObject } from "../../../core/object/index.ts";
import { resourceQuantitiesAt, podTotals, type ResourceQuantities } from "../pod-resources.ts";
import { compareQuantities, quantityOf, unitsOf, wholeQuantity, type Quantity } from "../quantity.ts";
import { storageClassOf } from "./persistent-volume-claim-resize.ts";

// Models pkg/quota/v1/evaluator/core

const countPrefix = "count/";
const classSuffix = ".storageclass.storage.k8s.io/";
const one = wholeQuantity(1);

const podNames = new Set([
  "pods",
  ...["cpu", "memory", "ephemeral-storage"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);
const serviceNames = new Set(["services", "services.nodeports", "services.loadbalancers"]);
const claimNames = new Set(["persistentvolumeclaims", "requests.storage"]);
/** Kinds that quotas count without the prefix `count/`. */
const plainCounts = new Set(["configmaps", "replicationcontrollers", "resourcequotas", "secrets"]);

/** The resource whose objects count towards the quota resource `name`; undefined when nothing counts towards it. */
export function resourceCountedAs(name: string): string | undefined {
  if (name.startsWith(countPrefix)) return name.slice(countPrefix.length);
  if (plainCounts.has(name)) return name;
  if (serviceNames.has(name)) return "services";
  if (claimNames.has(name.slice(name.indexOf(classSuffix) < 0 ? 0 : name.indexOf(classSuffix) + classSuffix.length))) {
    return "persistentvolumeclaims";
  }
  return podNames.has(name) || isHugePages(name) || isExtended(name) ? "pods" : undefined;
}

function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-") || name.startsWith("requests.hugepages-");
}

/** Extended resources have requests only: `requests.example.com/gpu`. */
function isExtended(name: string): boolean {
  return name.startsWith("requests.") && name.includes("/") && !name.includes("kubernetes.io/");
}

/** The usage of one object, by quota resource name. */
export function usageOfObject(resource: string, object: KubeObject): ResourceQuantities {
  switch (resource) {
    case "pods":
      return podUsage(object);
    case "services":
      return serviceUsage(object);
    case "persistentvolumeclaims":
      return claimUsage(object);
    default:
      return new Map([[`${countPrefix}${resource}`, one], ...(plainCounts.has(resource) ? [[resource, one] as const] : [])]);
  }
}

/** A terminal Pod counts as an object, but uses no resources. */
function podUsage(pod: KubeObject): ResourceQuantities {
  const usage = new Map([["count/pods", one]]);
  const phase = stringAt(pod, "status.phase");
  if (phase === "Succeeded" || phase === "Failed") return usage;
  const compute = computeUsage(podTotals(pod["spec"], "requests"), podTotals(pod["spec"], "limits"));
  return new Map([...usage, ...compute]);
}

/** Models podComputeUsageHelper: `cpu` and `memory` without a prefix are requests. */
export function computeUsage(requests: ResourceQuantities, limits: ResourceQuantities): ResourceQuantities {
  const usage = new Map([["pods", one]]);
  for (const [name, amount] of requests) {
    if (podNames.has(name) || isHugePages(name)) usage.set(name, amount);
    usage.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of limits) if (podNames.has(name)) usage.set(`limits.${name}`, amount);
  return usage;
}

function serviceUsage(service: KubeObject): ResourceQuantities {
  const type = stringAt(service, "spec.type");
  const ports = listAt(service, "spec.ports");
  const explicit = ports.filter(({ nodePort }) => typeof nodePort === "number" && nodePort !== 0).length;
  const allocates = valueAt(service, "spec.allocateLoadBalancerNodePorts") !== false;
  const nodePorts = type === "NodePort" || (type === "LoadBalancer" && allocates) ? ports.length : type === "LoadBalancer" ? explicit : 0;
  return new Map([
    ["count/services", one],
    ["services", one],
    ["services.nodeports", wholeQuantity(nodePorts)],
    ["services.loadbalancers", wholeQuantity(type === "LoadBalancer" ? 1 : 0)],
  ]);
}

function claimUsage(claim: KubeObject): ResourceQuantities {
  const storage = storageOf(claim);
  const plain: [string, Quantity][] = [
    ["persistentvolumeclaims", one],
    ...(storage === undefined ? [] : [["requests.storage", storage] as [string, Quantity]]),
  ];
  const className = storageClassOf(claim);
  const ofClass = className === "" ? [] : plain.map(([name, amount]): [string, Quantity] => [`${className}${classSuffix}${name}`, amount]);
  return new Map([["count/persistentvolumeclaims", one], ...plain, ...ofClass]);
}

/** The allocated storage counts when it exceeds the requested storage. */
function storageOf(claim: KubeObject): Quantity | undefined {
  const asked = fieldsAt(claim, "spec.resources.requests")["storage"];
  if (asked === undefined) return undefined;
  const request = quantityOf(asked);
  const allocated = resourceQuantitiesAt(claim, "status.allocatedResources").get("storage");
  return inWholeBytes(allocated !== undefined && compareQuantities(allocated, request) > 0 ? allocated : request);
}

function inWholeBytes(amount: Quantity): Quantity {
  const bytes = wholeQuantity(unitsOf(amount));
  return bytes.nano === amount.nano ? amount : { ...bytes, format: amount.format };
}
