import type { GroupVersionKind } from "../../core/object/index.ts";

/** A resource argument as kubectl takes it: `sts`, `deployments.apps`, `certificates.v1.cert-manager.io`. */
type ResourceArg = { readonly resource: string; readonly version?: string; readonly group?: string };

/**
 * Parses `resource[.version][.group]`. The part after the first dot is a version only if it looks like one, as in
 * kubectl. Undefined when the text is invalid.
 */
export function parseResourceArg(text: string): ResourceArg | undefined {
  if (!/^[a-z0-9][-a-z0-9]*(\.[a-z0-9][-a-z0-9]*)*$/i.test(text) || text.toLowerCase() === "all") return undefined;
  const [resource = "", ...rest] = text.toLowerCase().split(".");
  if (rest.length === 0) return { resource };
  if (!/^v\d+((alpha|beta)\d+)?$/.test(rest[0]!)) return { resource, group: rest.join(".") };
  return { resource, version: rest[0]!, group: rest.slice(1).join(".") };
}

/** The short names of built-in kinds. */
const shortNames: Readonly<Record<string, string>> = {
  cm: "ConfigMap",
  ds: "DaemonSet",
  deploy: "Deployment",
  ep: "Endpoints",
  hpa: "HorizontalPodAutoscaler",
  ing: "Ingress",
  crd: "CustomResourceDefinition",
  crds: "CustomResourceDefinition",
  cj: "CronJob",
  limits: "LimitRange",
  netpol: "NetworkPolicy",
  no: "Node",
  ns: "Namespace",
  pc: "PriorityClass",
  pdb: "PodDisruptionBudget",
  po: "Pod",
  pv: "PersistentVolume",
  pvc: "PersistentVolumeClaim",
  quota: "ResourceQuota",
  rc: "ReplicationController",
  rs: "ReplicaSet",
  sa: "ServiceAccount",
  sc: "StorageClass",
  sts: "StatefulSet",
  svc: "Service",
};

/** Whether a resource argument names this kind by its singular, plural or short name. */
export function matchesKind({ resource, version, group }: ResourceArg, gvk: GroupVersionKind, ownNames: readonly string[] = []): boolean {
  if (group !== undefined && group !== gvk.group) return false;
  if (version !== undefined && version !== gvk.version) return false;
  const singular = gvk.kind.toLowerCase();
  return resource === singular || resource === pluralOf(singular) || shortNames[resource] === gvk.kind || ownNames.includes(resource);
}

/** Models apimachinery pkg/api/meta/restmapper.go UnsafeGuessKindToResource */
function pluralOf(singular: string): string {
  if (singular === "endpoints") return singular;
  if (singular.endsWith("s")) return `${singular}es`;
  return singular.endsWith("y") ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}
