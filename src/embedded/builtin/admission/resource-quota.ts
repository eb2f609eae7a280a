import { fieldsAt, listAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { resourceQuantitiesAt, addResourceQuantities, printResourceQuantities, type ResourceQuantities } from "../pod-resources.ts";
import { addQuantities, compareQuantities, subtractQuantities, zeroQuantity } from "../quantity.ts";
import { admissionForbidden, type AdmissionAttributes, type ValidatingPlugin, type AdmissionContext } from "./plugin.ts";
import { hasActiveDeadline, matchesQuotaScopes } from "./quota-scope.ts";
import { computeUsage, resourceCountedAs, usageOfObject } from "./quota-usage.ts";

// Models apiserver pkg/admission/plugin/resourcequota/controller.go CheckRequest

/** Rejects a write that exceeds a quota of the namespace, and adds its usage to every quota that counts it. */
export const validateResourceQuota: ValidatingPlugin = (attributes, context) => {
  const { namespace = "" } = attributes.object.metadata;
  if (namespace === "" || ignored.has(attributes.resource.key) || !canUseMore(attributes)) return;
  const quotas = context.list("resourcequotas", namespace).filter((quota) => quotaApplies(quota, attributes));
  if (quotas.length === 0) return;
  for (const quota of quotas) checkQuotaConstraints(quota, attributes);
  const charges = quotas.map((quota) => ({ quota, used: usedAfter(quota, attributes) }));
  if (attributes.dryRun !== true) updateQuotaUsages(charges, context);
};

const ignored = new Set(["events", "events.events.k8s.io", "bindings"]);

/** Only creates can increase the usage, and updates of size, type or scope. */
function canUseMore({ operation, resource, object, live, subresource = "" }: AdmissionAttributes): boolean {
  if (operation === "DELETE") return false;
  if (operation === "CREATE") return subresource === "";
  if (resource.key === "persistentvolumeclaims") return subresource === "" || subresource === "status";
  if (resource.key === "pods" && subresource === "resize") return true;
  if (subresource !== "") return false;
  if (resource.key === "pods") return hasActiveDeadline(fieldsAt(object, "spec")) !== hasActiveDeadline(fieldsAt(live, "spec"));
  return resource.key === "services";
}

function quotaApplies(quota: KubeObject, { resource, object }: AdmissionAttributes): boolean {
  return namesIn(quota, resource.key).length > 0 && matchesQuotaScopes(quota, resource.key, object);
}

/** The quota resources that objects of this resource count towards. */
function namesIn(quota: KubeObject, resource: string): string[] {
  return Object.keys(fieldsAt(quota, "status.hard")).filter((name) => resourceCountedAs(name) === resource);
}

function checkQuotaConstraints(quota: KubeObject, attributes: AdmissionAttributes): void {
  const { name } = quota.metadata;
  const names = namesIn(quota, attributes.resource.key);
  const unspecified = attributes.resource.key === "pods" ? unspecifiedBy(fieldsAt(attributes.object, "spec"), names) : undefined;
  if (unspecified !== undefined) throw admissionForbidden(attributes, `failed quota: ${name}: must specify ${unspecified}`);
  const used = fieldsAt(quota, "status.used");
  if (names.every((item) => used[item] !== undefined)) return;
  throw admissionForbidden(attributes, `status unknown for quota: ${name}, resources: ${names.sort().join(",")}`);
}

const constrainedResources = new Set(["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]));

/** The requests and limits that a quota constrains and containers leave out. Models podEvaluator.Constraints */
function unspecifiedBy(spec: Fields, names: readonly string[]): string | undefined {
  const podLevel = fieldsAt(spec, "resources");
  if (["requests", "limits"].some((list) => Object.keys(fieldsAt(podLevel, list)).length > 0)) return undefined;
  const containers = [...listAt(spec, "containers"), ...listAt(spec, "initContainers")].map((container) => ({
    name: stringAt(container, "name", ""),
    specified: computeUsage(resourceQuantitiesAt(container, "resources.requests"), resourceQuantitiesAt(container, "resources.limits")),
  }));
  const missing = names
    .filter((name) => constrainedResources.has(name))
    .sort()
    .map((name) => ({ name, by: containers.filter(({ specified }) => !specified.has(name)).map((container) => container.name) }))
    .filter(({ by }) => by.length > 0);
  if (missing.length === 0) return undefined;
  return missing.map(({ name, by }) => `${name} for: ${[...new Set(by)].sort().join(",")}`).join("; ");
}

/** The quota's usage after this write; the same quantities when it does not increase. */
function usedAfter(quota: KubeObject, attributes: AdmissionAttributes): ResourceQuantities {
  const hard = resourceQuantitiesAt(quota, "status.hard");
  const used = resourceQuantitiesAt(quota, "status.used");
  const requested = new Map([...increase(quota, attributes)].filter(([name, { nano }]) => nano > 0n && hard.has(name)));
  const sum = (name: string) => addQuantities(used.get(name) ?? zeroQuantity, requested.get(name) ?? zeroQuantity);
  const exceeded = [...requested.keys()].filter((name) => compareQuantities(sum(name), hard.get(name) ?? zeroQuantity) > 0).sort();
  if (exceeded.length > 0 && attributes.subresource !== "status") {
    const show = (amounts: ResourceQuantities) =>
      exceeded.map((name) => `${name}=${printResourceQuantities([[name, amounts.get(name) ?? zeroQuantity]])[name]}`).join(",");
    throw admissionForbidden(
      attributes,
      `exceeded quota: ${quota.metadata.name}, requested: ${show(requested)}, used: ${show(used)}, limited: ${show(hard)}`,
    );
  }
  return requested.size === 0 ? used : addResourceQuantities(used, requested);
}

/** The increase of the usage; an object that did not match the quota before counts in full. */
function increase(quota: KubeObject, { resource, object, live }: AdmissionAttributes): ResourceQuantities {
  const usage = usageOfObject(resource.key, object);
  if (live === undefined || !matchesQuotaScopes(quota, resource.key, live)) return usage;
  const before = usageOfObject(resource.key, live);
  return new Map([...usage].map(([name, amount]) => [name, subtractQuantities(amount, before.get(name) ?? zeroQuantity)]));
}

function updateQuotaUsages(charges: readonly { quota: KubeObject; used: ResourceQuantities }[], context: AdmissionContext): void {
  for (const { quota, used } of charges) {
    const before = resourceQuantitiesAt(quota, "status.used");
    if ([...used].some(([name, { nano }]) => before.get(name)?.nano !== nano))
      context.updateQuotaUsage(quota, printResourceQuantities(used));
  }
}
