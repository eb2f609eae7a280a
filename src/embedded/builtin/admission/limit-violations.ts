import { listAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { resourceQuantitiesAt, containerTotals, type ResourceQuantities } from "../pod-resources.ts";
import { compareQuantities, printQuantity, type Quantity } from "../quantity.ts";

// Models plugin/pkg/admission/limitranger/admission.go PodValidateLimitFunc and PersistentVolumeClaimValidateLimitFunc

type RequestedResources = { readonly requests: ResourceQuantities; readonly limits: ResourceQuantities };

/** The violations of a LimitRange by a Pod, one message each. */
export function podLimitViolations(pod: KubeObject, range: KubeObject): string[] {
  const containers = [...listAt(pod, "spec.containers"), ...listAt(pod, "spec.initContainers")].map(requestedByContainer);
  return listAt(range, "spec.limits").flatMap((item) => {
    if (item["type"] === "Container") return containers.flatMap((asked) => violationsOf(item, asked));
    return item["type"] === "Pod" ? violationsOf(item, requestedByPod(pod)) : [];
  });
}

/** The same for a claim, which has only requests. */
export function claimLimitViolations(claim: KubeObject, range: KubeObject): string[] {
  const requests = resourceQuantitiesAt(claim, "spec.resources.requests");
  const items = listAt(range, "spec.limits").filter(({ type }) => type === "PersistentVolumeClaim");
  return items.flatMap((item) => [
    ...each(item, "min", (limit) => belowMin(limit, { requests, limits: new Map() })),
    ...each(item, "max", (limit) => requestAboveMax(limit, requests)),
  ]);
}

function requestedByContainer(container: Fields): RequestedResources {
  return { requests: resourceQuantitiesAt(container, "resources.requests"), limits: resourceQuantitiesAt(container, "resources.limits") };
}

function requestedByPod({ spec }: KubeObject): RequestedResources {
  return { requests: podAmounts(spec, "requests"), limits: podAmounts(spec, "limits") };
}

function podAmounts(spec: unknown, list: "requests" | "limits"): ResourceQuantities {
  const podLevel = [...resourceQuantitiesAt(spec, `resources.${list}`)].filter(([name]) => name === "cpu" || name === "memory");
  return new Map([...containerTotals(spec, list), ...podLevel]);
}

type Limit = { readonly name: string; readonly type: string; readonly amount: Quantity };

function each(item: Fields, bound: string, objection: (limit: Limit) => string | undefined): string[] {
  const limits = [...resourceQuantitiesAt(item, bound)].map(([name, amount]) => ({ name, amount, type: stringAt(item, "type", "") }));
  return limits.map(objection).filter((text) => text !== undefined);
}

function violationsOf(item: Fields, asked: RequestedResources): string[] {
  return [
    ...each(item, "min", (limit) => belowMin(limit, asked)),
    ...each(item, "max", (limit) => aboveMax(limit, asked)),
    ...each(item, "maxLimitRequestRatio", (limit) => aboveRatio(limit, asked)),
  ];
}

function belowMin({ name, type, amount }: Limit, { requests, limits }: RequestedResources): string | undefined {
  const title = `minimum ${name} usage per ${type} is ${printQuantity(amount)}`;
  const request = requests.get(name);
  const limit = limits.get(name);
  if (request === undefined) return `${title}.  No request is specified`;
  if (compareQuantities(request, amount) < 0) return `${title}, but request is ${printQuantity(request)}`;
  return limit !== undefined && compareQuantities(limit, amount) < 0 ? `${title}, but limit is ${printQuantity(limit)}` : undefined;
}

function aboveMax({ name, type, amount }: Limit, { requests, limits }: RequestedResources): string | undefined {
  const title = `maximum ${name} usage per ${type} is ${printQuantity(amount)}`;
  const request = requests.get(name);
  const limit = limits.get(name);
  if (limit === undefined) return `${title}.  No limit is specified`;
  if (compareQuantities(limit, amount) > 0) return `${title}, but limit is ${printQuantity(limit)}`;
  return request !== undefined && compareQuantities(request, amount) > 0 ? `${title}, but request is ${printQuantity(request)}` : undefined;
}

function requestAboveMax({ name, type, amount }: Limit, requests: ResourceQuantities): string | undefined {
  const title = `maximum ${name} usage per ${type} is ${printQuantity(amount)}`;
  const request = requests.get(name);
  if (request === undefined) return `${title}.  No request is specified`;
  return compareQuantities(request, amount) > 0 ? `${title}, but request is ${printQuantity(request)}` : undefined;
}

function aboveRatio({ name, type, amount }: Limit, { requests, limits }: RequestedResources): string | undefined {
  const title = `${name} max limit to request ratio per ${type} is ${printQuantity(amount)}`;
  const request = requests.get(name)?.nano ?? 0n;
  const limit = limits.get(name)?.nano ?? 0n;
  if (request === 0n) return `${title}, but no request is specified or request is 0`;
  if (limit === 0n) return `${title}, but no limit is specified or limit is 0`;
  const ratio = Number(limit) / Number(request);
  return ratio > Number(amount.nano) / 1e9 ? `${title}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}
