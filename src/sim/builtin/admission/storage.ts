import { fieldsAt, listAt, mapAt, stringAt, type KubeObject } from "../../../object/index.ts";
import { isUnset } from "../edit.ts";
import { isWriteOf, type Admission, type AdmissionRequest } from "./request.ts";

/** Of several that carry the annotation, the youngest; of equally old ones, the first by name. */
function defaultOf(candidates: readonly KubeObject[], ...annotations: readonly string[]): KubeObject | undefined {
  const marked = candidates.filter((each) => annotations.some((name) => mapAt(each, "metadata.annotations")[name] === "true"));
  const born = (each: KubeObject): string => each.metadata.creationTimestamp ?? "";
  return marked.toSorted((a, b) => (born(a) === born(b) ? (a.metadata.name < b.metadata.name ? -1 : 1) : born(a) < born(b) ? 1 : -1))[0];
}

const betaClass = "volume.beta.kubernetes.io/storage-class";

/** Models plugin/pkg/admission/storage/storageclass/setdefault/admission.go */
export function defaultStorageClass(request: AdmissionRequest): Admission {
  const { object, operation, reader } = request;
  if (!isWriteOf(request, "", "PersistentVolumeClaim") || operation !== "create") return { object };
  const classed = !isUnset(fieldsAt(object, "spec")["storageClassName"]) || mapAt(object, "metadata.annotations")[betaClass] !== undefined;
  const found = classed
    ? undefined
    : defaultOf(
        reader.list("storage.k8s.io", "StorageClass", ""),
        "storageclass.kubernetes.io/is-default-class",
        "storageclass.beta.kubernetes.io/is-default-class",
      );
  if (found === undefined) return { object };
  return { object: { ...object, spec: { ...fieldsAt(object, "spec"), storageClassName: found.metadata.name } } };
}

/** Models plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go */
export function inUseProtection(request: AdmissionRequest): Admission {
  const { object, operation } = request;
  const finalizer = isWriteOf(request, "", "PersistentVolumeClaim")
    ? "kubernetes.io/pvc-protection"
    : isWriteOf(request, "", "PersistentVolume")
      ? "kubernetes.io/pv-protection"
      : undefined;
  const present = object.metadata.finalizers ?? [];
  if (finalizer === undefined || operation !== "create" || present.includes(finalizer)) return { object };
  return { object: { ...object, metadata: { ...object.metadata, finalizers: [...present, finalizer] } } };
}

const oldIngressClass = "kubernetes.io/ingress.class";

/** Models plugin/pkg/admission/network/defaultingressclass/admission.go */
export function defaultIngressClass(request: AdmissionRequest): Admission {
  const { object, operation, reader } = request;
  const named =
    !isUnset(fieldsAt(object, "spec")["ingressClassName"]) || mapAt(object, "metadata.annotations")[oldIngressClass] !== undefined;
  if (!isWriteOf(request, "networking.k8s.io", "Ingress") || operation !== "create" || named) return { object };
  const found = defaultOf(reader.list("networking.k8s.io", "IngressClass", ""), "ingressclass.kubernetes.io/is-default-class");
  if (found === undefined) return { object };
  return { object: { ...object, spec: { ...fieldsAt(object, "spec"), ingressClassName: found.metadata.name } } };
}

/** A node starts out tainted, until it says that it is ready. Models plugin/pkg/admission/nodetaint/admission.go */
export function taintNewNode(request: AdmissionRequest): Admission {
  const { object, operation } = request;
  if (!isWriteOf(request, "", "Node") || operation !== "create") return { object };
  const taints = listAt(object, "spec.taints");
  const key = "node.kubernetes.io/not-ready";
  if (taints.some((taint) => stringAt(taint, "key") === key && stringAt(taint, "effect") === "NoSchedule")) return { object };
  return { object: { ...object, spec: { ...fieldsAt(object, "spec"), taints: [...taints, { key, effect: "NoSchedule" }] } } };
}
