import type { KubeObject, ObjectRef } from "../../core/object/index.ts";

/** Whether one state of an object is older than another. False when they cannot be compared. */
export function isOlderObject({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean {
  return isEarlierVersion(a.resourceVersion, b.resourceVersion);
}

/** Whether one resourceVersion is older than another. */
export function isEarlierVersion(one = "", other = ""): boolean {
  if (!/^\d+$/.test(one) || !/^\d+$/.test(other)) return false;
  return one.length === other.length ? one < other : one.length < other.length;
}

/** The groups that the API server itself serves. */
const builtIn = new Set(
  "admissionregistration apiextensions apiregistration authentication authorization certificates coordination discovery events flowcontrol.apiserver internal.apiserver networking node rbac.authorization resource scheduling storage storagemigration"
    .split(" ")
    .map((name) => `${name}.k8s.io`),
);

/** Whether a kind is a custom resource. */
export function isCustom({ group }: Pick<ObjectRef, "group">): boolean {
  return group.includes(".") && !builtIn.has(group);
}
