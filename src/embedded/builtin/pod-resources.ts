import { fieldsAt, listAt, stringAt, type Fields } from "../../core/object/index.ts";
import { filled } from "./edit.ts";
import { add, compare, printQuantity, quantityOf, zero, type Quantity } from "./quantity.ts";

/** Quantities by resource name. */
export type Amounts = ReadonlyMap<string, Quantity>;

export function amountsAt(value: unknown, path: string): Amounts {
  return new Map(Object.entries(fieldsAt(value, path)).map(([name, text]) => [name, quantityOf(text)]));
}

export function plus(a: Amounts, b: Amounts): Amounts {
  const sum = new Map(a);
  for (const [name, amount] of b) sum.set(name, add(sum.get(name) ?? zero, amount));
  return sum;
}

function greater(a: Amounts, b: Amounts): Amounts {
  const most = new Map(a);
  for (const [name, amount] of b) if (compare(amount, most.get(name) ?? { nano: -1n, format: "decimal" }) > 0) most.set(name, amount);
  return most;
}

/**
 * What all containers of a Pod ask for together: the sum of those that run side by side, or the most that starting takes.
 * Models component-helpers resource/helpers.go AggregateContainerRequests and AggregateContainerLimits
 */
export function containerTotals(spec: unknown, list: "requests" | "limits"): Amounts {
  const resources = (container: Fields): Amounts => amountsAt(container, `resources.${list}`);
  let running: Amounts = listAt(spec, "containers").map(resources).reduce(plus, new Map());
  let sidecars: Amounts = new Map();
  let starting: Amounts = new Map();
  for (const container of listAt(spec, "initContainers")) {
    const own = resources(container);
    const restarts = stringAt(container, "restartPolicy") === "Always";
    if (restarts) {
      running = plus(running, own);
      sidecars = plus(sidecars, own);
    }
    starting = greater(starting, restarts ? sidecars : plus(own, sidecars));
  }
  return greater(running, starting);
}

const isPodLevel = (name: string): boolean => name === "cpu" || name === "memory" || isHugePages(name);
const isHugePages = (name: string): boolean => name.startsWith("hugepages-");

/** What a Pod takes from a node or a quota. Models PodRequests and PodLimits of the same file. */
export function podTotals(spec: unknown, list: "requests" | "limits"): Amounts {
  const totals = new Map(containerTotals(spec, list));
  for (const [name, amount] of amountsAt(spec, `resources.${list}`)) if (isPodLevel(name)) totals.set(name, amount);
  const overhead = amountsAt(spec, "overhead");
  if (list === "requests") return plus(totals, overhead);
  return plus(totals, new Map([...overhead].filter(([name]) => (totals.get(name) ?? zero).nano !== 0n)));
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
  return filled(fieldsAt(resources, "limits"), printed(pages));
}

function podRequests(spec: Fields, requests: Fields, limits: Fields): Fields {
  const totals = [...containerTotals(spec, "requests")].filter(([name]) => isPodLevel(name) && !isHugePages(name));
  const supported = Object.entries(limits).filter(([name]) => isPodLevel(name));
  return filled(filled(requests, printed(totals)), Object.fromEntries(supported));
}

export function printed(amounts: Iterable<readonly [string, Quantity]>): Readonly<Record<string, string>> {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, printQuantity(amount)]));
}

const computeResources = ["cpu", "memory"];

function positive(amounts: Amounts): Amounts {
  return new Map([...amounts].filter(([name, amount]) => computeResources.includes(name) && amount.nano > 0n));
}

/** Models pkg/apis/core/v1/helper/qos/qos.go ComputePodQOS */
export function qosClassOf(spec: unknown): "Guaranteed" | "Burstable" | "BestEffort" {
  const podLevel = fieldsAt(spec, "resources");
  const holders =
    Object.keys(podLevel).length > 0 ? [{ resources: podLevel }] : [...listAt(spec, "containers"), ...listAt(spec, "initContainers")];
  const requests = holders.map((holder) => positive(amountsAt(holder, "resources.requests"))).reduce(plus, new Map());
  const limitsOfEach = holders.map((holder) => positive(amountsAt(holder, "resources.limits")));
  const limits = limitsOfEach.reduce(plus, new Map());
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  const limited = limitsOfEach.every((each) => computeResources.every((name) => each.has(name)));
  const equal = [...requests].every(([name, amount]) => limits.get(name)?.nano === amount.nano);
  return limited && equal && requests.size === limits.size ? "Guaranteed" : "Burstable";
}
