import { fieldsAt, type KubeObject } from "../../../core/object/index.ts";
import {
  addQuantities,
  matchesQuotaScopes,
  printQuantity,
  quantityOf,
  resourceCountedAs,
  usageOfObject,
  type ResourceQuantities,
  type Quantity,
} from "../../builtin/index.ts";

/** The objects of one resource in the quota's namespace. */
type ObjectsOf = (resource: string) => readonly KubeObject[];

/**
 * The usage of a namespace by the resource names in a quota's `spec.hard`. Names that nothing counts towards are left
 * out. Models apiserver pkg/quota/v1/resources.go CalculateUsage
 */
export function quotaUsageOf(quota: KubeObject, objectsOf: ObjectsOf): Readonly<Record<string, string>> {
  const usages = new Map<string, readonly ResourceQuantities[]>();
  const used: Record<string, string> = {};
  for (const name of Object.keys(fieldsAt(quota, "spec.hard"))) {
    const resource = resourceCountedAs(name);
    if (resource === undefined) continue;
    const known = usages.get(resource) ?? usagesOf(quota, resource, objectsOf(resource));
    usages.set(resource, known);
    used[name] = printQuantity(sumOf(known, name));
  }
  return used;
}

function usagesOf(quota: KubeObject, resource: string, objects: readonly KubeObject[]): readonly ResourceQuantities[] {
  return objects.filter((object) => matchesQuotaScopes(quota, resource, object)).map((object) => usageOfObject(resource, object));
}

const none: Quantity = quantityOf(0);

function sumOf(usages: readonly ResourceQuantities[], name: string): Quantity {
  return usages.map((usage) => usage.get(name) ?? none).reduce(addQuantities, none);
}
