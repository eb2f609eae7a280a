import { fieldsAt, mapAt, type KubeObject } from "../../../core/object/index.ts";
import { isUnset } from "../field-edits.ts";
import type { MutatingPlugin } from "./plugin.ts";

/**
 * Sets the default storage class of a claim without one; the empty class counts as set. Models
 * plugin/pkg/admission/storage/storageclass/setdefault
 */
export const admitDefaultStorageClass: MutatingPlugin = (claim, { operation }, context) => {
  if (operation !== "CREATE" || hasClass(claim, "storageClassName", "volume.beta.kubernetes.io/storage-class")) return claim;
  const marks = ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"];
  return withClass(claim, "storageClassName", newestDefault(context.list("storageclasses.storage.k8s.io"), marks));
};

/** The same for Ingresses. Models plugin/pkg/admission/network/defaultingressclass/admission.go */
export const admitDefaultIngressClass: MutatingPlugin = (ingress, { operation }, context) => {
  if (operation !== "CREATE" || hasClass(ingress, "ingressClassName", "kubernetes.io/ingress.class")) return ingress;
  const marks = ["ingressclass.kubernetes.io/is-default-class"];
  return withClass(ingress, "ingressClassName", newestDefault(context.list("ingressclasses.networking.k8s.io"), marks));
};

function hasClass(object: KubeObject, field: string, annotation: string): boolean {
  return !isUnset(fieldsAt(object, "spec")[field]) || Object.hasOwn(mapAt(object, "metadata.annotations"), annotation);
}

function withClass(object: KubeObject, field: string, found: KubeObject | undefined): KubeObject {
  return found === undefined ? object : { ...object, spec: { ...fieldsAt(object, "spec"), [field]: found.metadata.name } };
}

/** The newest default class, then the first by name. */
function newestDefault(classes: readonly KubeObject[], marks: readonly string[]): KubeObject | undefined {
  const isDefault = (object: KubeObject) => marks.some((mark) => mapAt(object, "metadata.annotations")[mark] === "true");
  return classes.filter(isDefault).toSorted(newerFirst)[0];
}

function newerFirst({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number {
  const ages = [Date.parse(a.creationTimestamp ?? ""), Date.parse(b.creationTimestamp ?? "")];
  return ages[1]! - ages[0]! || (a.name < b.name ? -1 : 1);
}
