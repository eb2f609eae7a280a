import { fieldsAt, listAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { amountsAt, plus, printed, type Amounts } from "../pod-resources.ts";
import { add, compare, subtract, zero } from "../quantity.ts";
import { forbidden, type Attempt, type Check, type Surroundings } from "./plugin.ts";
import { endsByItself, isInScope } from "./quota-scope.ts";
import { computeUsage, resourceCountedAs, usageOfObject } from "./quota-usage.ts";

// Models apiserver pkg/admission/plugin/resourcequota/controller.go CheckRequest

/** Refuses what goes beyond a quota of the namespace, and charges what does not to every quota that it counts for. */
export const keepToQuota: Check = (attempt, around) => {
  const { namespace = "" } = attempt.object.metadata;
  if (namespace === "" || ignored.has(attempt.resource.key) || !canUseMore(attempt)) return;
  const quotas = around.list("resourcequotas", namespace).filter((quota) => concerns(quota, attempt));
  if (quotas.length === 0) return;
  for (const quota of quotas) checkAnswerable(quota, attempt);
  const charges = quotas.map((quota) => ({ quota, used: usedAfter(quota, attempt) }));
  if (attempt.dryRun !== true) chargeAll(charges, around);
};

const ignored = new Set(["events", "events.events.k8s.io", "bindings"]);

/** Only a new object uses more, or one whose size, type or scope can change. */
function canUseMore({ operation, resource, object, live, subresource = "" }: Attempt): boolean {
  if (operation === "DELETE") return false;
  if (operation === "CREATE") return true;
  if (resource.key === "persistentvolumeclaims") return subresource === "" || subresource === "status";
  if (subresource !== "") return false;
  if (resource.key === "pods") return endsByItself(fieldsAt(object, "spec")) !== endsByItself(fieldsAt(live, "spec"));
  return resource.key === "services";
}

function concerns(quota: KubeObject, { resource, object }: Attempt): boolean {
  return namesIn(quota, resource.key).length > 0 && isInScope(quota, resource.key, object);
}

/** What the quota limits that objects of this resource use. */
function namesIn(quota: KubeObject, resource: string): string[] {
  return Object.keys(fieldsAt(quota, "status.hard")).filter((name) => resourceCountedAs(name) === resource);
}

function checkAnswerable(quota: KubeObject, attempt: Attempt): void {
  const { name } = quota.metadata;
  const names = namesIn(quota, attempt.resource.key);
  const unsaid = attempt.resource.key === "pods" ? unsaidBy(fieldsAt(attempt.object, "spec"), names) : undefined;
  if (unsaid !== undefined) throw forbidden(attempt, `failed quota: ${name}: must specify ${unsaid}`);
  const used = fieldsAt(quota, "status.used");
  if (names.every((item) => used[item] !== undefined)) return;
  throw forbidden(attempt, `status unknown for quota: ${name}, resources: ${names.sort().join(",")}`);
}

const mustBeSaid = new Set(["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]));

/** What containers have to ask for, because a quota limits it, and do not. Models podEvaluator.Constraints */
function unsaidBy(spec: Fields, names: readonly string[]): string | undefined {
  const podLevel = fieldsAt(spec, "resources");
  if (["requests", "limits"].some((list) => Object.keys(fieldsAt(podLevel, list)).length > 0)) return undefined;
  const containers = [...listAt(spec, "containers"), ...listAt(spec, "initContainers")].map((container) => ({
    name: stringAt(container, "name", ""),
    said: computeUsage(amountsAt(container, "resources.requests"), amountsAt(container, "resources.limits")),
  }));
  const missing = names
    .filter((name) => mustBeSaid.has(name))
    .sort()
    .map((name) => ({ name, by: containers.filter(({ said }) => !said.has(name)).map((container) => container.name) }))
    .filter(({ by }) => by.length > 0);
  if (missing.length === 0) return undefined;
  return missing.map(({ name, by }) => `${name} for: ${[...new Set(by)].sort().join(",")}`).join("; ");
}

/** The quota's usage with this write; the same amounts when it uses no more. */
function usedAfter(quota: KubeObject, attempt: Attempt): Amounts {
  const hard = amountsAt(quota, "status.hard");
  const used = amountsAt(quota, "status.used");
  const requested = new Map([...increase(quota, attempt)].filter(([name, { nano }]) => nano > 0n && hard.has(name)));
  const sum = (name: string) => add(used.get(name) ?? zero, requested.get(name) ?? zero);
  const exceeded = [...requested.keys()].filter((name) => compare(sum(name), hard.get(name) ?? zero) > 0).sort();
  if (exceeded.length > 0 && attempt.subresource !== "status") {
    const show = (amounts: Amounts) => exceeded.map((name) => `${name}=${printed([[name, amounts.get(name) ?? zero]])[name]}`).join(",");
    throw forbidden(
      attempt,
      `exceeded quota: ${quota.metadata.name}, requested: ${show(requested)}, used: ${show(used)}, limited: ${show(hard)}`,
    );
  }
  return requested.size === 0 ? used : plus(used, requested);
}

/** How much more is used; an object that the quota did not count before is new to it. */
function increase(quota: KubeObject, { resource, object, live }: Attempt): Amounts {
  const usage = usageOfObject(resource.key, object);
  if (live === undefined || !isInScope(quota, resource.key, live)) return usage;
  const before = usageOfObject(resource.key, live);
  return new Map([...usage].map(([name, amount]) => [name, subtract(amount, before.get(name) ?? zero)]));
}

function chargeAll(charges: readonly { quota: KubeObject; used: Amounts }[], around: Surroundings): void {
  for (const { quota, used } of charges) {
    const before = amountsAt(quota, "status.used");
    if ([...used].some(([name, { nano }]) => before.get(name)?.nano !== nano)) around.charge(quota, printed(used));
  }
}
