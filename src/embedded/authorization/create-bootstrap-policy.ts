import { isFields, listAt, mapAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import { bootstrapPolicy } from "../data/index.ts";
import type { ObjectStorage } from "../storage/index.ts";
import { aggregatedRules } from "./aggregated-rules.ts";
import { rbacGroup } from "./rbac-authorizer.ts";

type BootstrapObject = { readonly key: string; readonly object: KubeObject; readonly managed: readonly Fields[] };

/**
 * Creates the roles and bindings that every cluster has and this one lacks, with the aggregated roles already filled. They are known to be valid,
 * so they are stored as they are: a cluster must not start slower for them.
 */
export function createBootstrapPolicy(store: ObjectStorage, { time, newUid }: { time: string; newUid: () => string }): void {
  for (const { key, object, managed } of (prepared ??= prepare(bootstrapPolicy()))) {
    if (store.read(key, object.metadata.namespace ?? "", object.metadata.name) !== undefined) continue;
    const managedFields = managed.map((entry) => ({ ...entry, time }));
    store.put(key, { ...object, metadata: { ...object.metadata, uid: newUid(), creationTimestamp: time, managedFields } } as KubeObject);
  }
}

let prepared: readonly BootstrapObject[] | undefined;

const plurals: Readonly<Record<string, string>> = {
  ClusterRole: "clusterroles",
  ClusterRoleBinding: "clusterrolebindings",
  Role: "roles",
  RoleBinding: "rolebindings",
};

function prepare(objects: readonly KubeObject[]): readonly BootstrapObject[] {
  const filled = filledRoles(objects);
  return objects.map((object) => {
    const whole = filled.get(object.metadata.name) ?? object;
    const isFilled = object.kind === "ClusterRole" && whole["rules"] !== object["rules"];
    return {
      key: `${plurals[object.kind]}.${rbacGroup}`,
      object: object.kind === "ClusterRole" ? whole : object,
      managed: [...(isFilled ? [managedBy("clusterrole-aggregation-controller", "Apply", { "f:rules": {} })] : []), ownEntry(object)],
    };
  });
}

/** The aggregated ClusterRoles with their rules. Some aggregate others, so it is repeated until nothing changes. */
function filledRoles(objects: readonly KubeObject[]): ReadonlyMap<string, KubeObject> {
  const roles = new Map(objects.filter(({ kind }) => kind === "ClusterRole").map((role) => [role.metadata.name, role]));
  const inOrder = () => [...roles.values()].toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  for (let count = -1, next = 0; count !== next;) {
    count = next;
    for (const role of roles.values()) {
      const rules = aggregatedRules(role, inOrder());
      if (rules !== undefined) roles.set(role.metadata.name, { ...role, rules });
    }
    next = [...roles.values()].reduce((sum, role) => sum + listAt(role, "rules").length, 0);
  }
  return roles;
}

function ownEntry(object: KubeObject): Fields {
  const metadata = {
    ...(Object.keys(mapAt(object, "metadata.annotations")).length === 0 ? {} : { "f:annotations": named(object.metadata.annotations) }),
    ...(Object.keys(mapAt(object, "metadata.labels")).length === 0 ? {} : { "f:labels": named(object.metadata.labels) }),
  };
  return managedBy("kube-apiserver", "Update", {
    ...(object["aggregationRule"] === undefined ? {} : { "f:aggregationRule": named(object["aggregationRule"]) }),
    "f:metadata": metadata,
    ...Object.fromEntries(
      ["roleRef", "rules", "subjects"].filter((field) => object[field] !== undefined).map((field) => [`f:${field}`, {}]),
    ),
  });
}

/** The fields of a map and the map itself, as owned. */
function named(fields: unknown): Fields {
  const keys = Object.keys(isFields(fields) ? fields : {});
  return { ".": {}, ...Object.fromEntries(keys.map((key) => [`f:${key}`, {}])) };
}

function managedBy(manager: string, operation: "Apply" | "Update", fieldsV1: Fields): Fields {
  return { manager, operation, apiVersion: `${rbacGroup}/v1`, time: "", fieldsType: "FieldsV1", fieldsV1 };
}
