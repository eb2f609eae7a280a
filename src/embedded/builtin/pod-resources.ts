import { fieldsAt, listAt, stringAt, type Fields } from "../../core/object/index.ts";
import { filled } from "./field-edits.ts";
import { addQuantities, compareQuantities, printQuantity, quantityOf, zeroQuantity, type Quantity } from "./quantity.ts";

/** Quantities by resource name. */
export type ResourceQuantities = ReadonlyMap<string, Quantity>;

export function resourceQuantitiesAt(value: unknown, path: string): ResourceQuantities {
  return new Map(Object.entries(fieldsAt(value, path)).map(([name, text]) => [name, quantityOf(text)]));
}

export function addResourceQuantities(a: ResourceQuantities, b: ResourceQuantities): ResourceQuantities {
  const sum = new Map(a);
  for (const [name, amount] of b) sum.set(name, addQuantities(sum.get(name) ?? zeroQuantity, amount));
  return sum;
}

function maxResourceQuantities(a: ResourceQuantities, b: ResourceQuantities): ResourceQuantities {
  const most = new Map(a);
  for (const [name, amount] of b)
    if (compareQuantities(amount, most.get(name) ?? { nano: -1n, format: "decimal" }) > 0) most.set(name, amount);
  return most;
}

/**
 * The requests or limits of all containers of a Pod: the sum of those that run together, or the maximum that init
 * containers need. Models component-helpers resource/helpers.go AggregateContainerRequests and AggregateContainerLimits
 */
export function containerTotals(spec: unknown, list: "requests" | "limits"): ResourceQuantities {
  const resources = (container: Fields): ResourceQuantities => resourceQuantitiesAt(container, `resources.${list}`);
  let running: ResourceQuantities = listAt(spec, "containers").map(resources).reduce(addResourceQuantities, new Map());
  let sidecars: ResourceQuantities = new Map();
  let starting: ResourceQuantities = new Map();
  for (const container of listAt(spec, "initContainers")) {
    const own = resources(container);
    const restarts = stringAt(container, "restartPolicy") === "Always";
    if (restarts) {
      running = addResourceQuantities(running, own);
      sidecars = addResourceQuantities(sidecars, own);
    }
    starting = maxResourceQuantities(starting, restarts ? sidecars : addResourceQuantities(own, sidecars));
  }
  return maxResourceQuantities(running, starting);
}

const isPodLevel = (name: string): boolean => name === "cpu" || name === "memory" || isHugePages(name);
const isHugePages = (name: string): boolean => name.startsWith("hugepages-");

/** The resources that a Pod takes from a node or a quota. Models PodRequests and PodLimits of the same file. */
export function podTotals(spec: unknown, list: "requests" | "limits"): ResourceQuantities {
  const totals = new Map(containerTotals(spec, list));
  for (const [name, amount] of resourceQuantitiesAt(spec, `resources.${list}`)) if (isPodLevel(name)) totals.set(name, amount);
  const overhead = resourceQuantitiesAt(spec, "overhead");
  if (list === "requests") return addResourceQuantities(totals, overhead);
  return addResourceQuantities(totals, new Map([...overhead].filter(([name]) => (totals.get(name) ?? zeroQuantity).nano !== 0n)));
}

/** Models pkg/apis/core/v1/defaults.go defaultHugePagePodLimits and defaultPodRequests */
export function podLevelDefaults(spec: Fields): Fields {
  const resources = fieldsAt(spec, "resources");
  const asked = Object.keys(fieldsAt(resources, "limits")).length + Object.keys(fieldsAt(resources, "requests")).length;
  if (asked === 0) return spec;
  const limits = withHugePages(spec, resources);
  const requests =
    Object.keys(limits).length === 0 ? fieldsAt(resources, "requests") : podRequests(spec, fieldsAt(resources, "requests"), limits);
  const lists = { limits, requests };
  const known = Object.entries(lists).filter(([name, list]) => Object.keys(list).length > 0 && list !== resources[name]);
  return known.length === 0 ? spec : { ...spec, resources: { ...resources, ...Object.fromEntries(known) } };
}

function withHugePages(spec: Fields, resources: Fields): Fields {
  const requested = fieldsAt(resources, "requests");
  const pages = [...containerTotals(spec, "limits")].filter(([name]) => isHugePages(name) && !Object.hasOwn(requested, name));
  return filled(fieldsAt(resources, "limits"), printResourceQuantities(pages));
}

function podRequests(spec: Fields, requests: Fields, limits: Fields): Fields {
  const totals = [...containerTotals(spec, "requests")].filter(([name]) => isPodLevel(name) && !isHugePages(name));
  const supported = Object.entries(limits).filter(([name]) => isPodLevel(name));
  return filled(filled(requests, printResourceQuantities(totals)), Object.fromEntries(supported));
}

export function printResourceQuantities(amounts: Iterable<readonly [string, Quantity]>): Readonly<Record<string, string>> {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, printQuantity(amount)]));
}

const computeResources = ["cpu", "memory"];

function positive(amounts: ResourceQuantities): ResourceQuantities {
  return new Map([...amounts].filter(([name, amount]) => computeResources.includes(name) && amount.nano > 0n));
}

/** Models pkg/apis/core/v1/helper/qos/qos.go ComputePodQOS */
export function qosClassOf(spec: unknown): "Guaranteed" | "Burstable" | "BestEffort" {
  const podLevel = fieldsAt(spec, "resources");
  const holders =
    Object.keys(podLevel).length > 0 ? [{ resources: podLevel }] : [...listAt(spec, "containers"), ...listAt(spec, "initContainers")];
  const requests = holders
    .map((holder) => positive(resourceQuantitiesAt(holder, "resources.requests")))
    .reduce(addResourceQuantities, new Map());
  const limitsOfEach = holders.map((holder) => positive(resourceQuantitiesAt(holder, "resources.limits")));
  const limits = limitsOfEach.reduce(addResourceQuantities, new Map());
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  const limited = limitsOfEach.every((each) => computeResources.every((name) => each.has(name)));
  const equal = [...requests].every(([name, amount]) => limits.get(name)?.nano === amount.nano);
  return limited && equal && requests.size === limits.size ? "Guaranteed" : "Burstable";
}
