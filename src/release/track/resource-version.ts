import type { KubeObject, ObjectRef } from "../../core/object/index.ts";

/** Tells whether one state of an object was there before another. What cannot be compared is taken as it comes. */
export function isOlderObject({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean {
  return isEarlierVersion(a.resourceVersion, b.resourceVersion);
}

/** Tells whether one resourceVersion is of a moment before another. */
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

/** Tells whether a kind is somebody's own, brought by a definition. */
export function isCustom({ group }: Pick<ObjectRef, "group">): boolean {
  return group.includes(".") && !builtIn.has(group);
}
