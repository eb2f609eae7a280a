/**
 * The order in which kinds are created within a rank: werf's documented list, with the kinds that only Helm lists in
 * Helm's order. Models helm pkg/release/v1/util/kind_sorter.go InstallOrder
 */
const installOrder = [
  "PriorityClass",
  "Namespace",
  "NetworkPolicy",
  "ResourceQuota",
  "LimitRange",
  "PodSecurityPolicy",
  "PodDisruptionBudget",
  "ServiceAccount",
  "Secret",
  "SecretList",
  "ConfigMap",
  "StorageClass",
  "PersistentVolume",
  "PersistentVolumeClaim",
  "CustomResourceDefinition",
  "ClusterRole",
  "ClusterRoleList",
  "ClusterRoleBinding",
  "ClusterRoleBindingList",
  "Role",
  "RoleList",
  "RoleBinding",
  "RoleBindingList",
  "Service",
  "DaemonSet",
  "Pod",
  "ReplicationController",
  "ReplicaSet",
  "Deployment",
  "HorizontalPodAutoscaler",
  "StatefulSet",
  "Job",
  "CronJob",
  "IngressClass",
  "Ingress",
  "APIService",
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
];

const places = new Map(installOrder.map((kind, place) => [kind, place]));

/** Compares kinds by install order. Unlisted kinds come last, by name. */
export function compareKinds(a: string, b: string): number {
  const [first, second] = [places.get(a) ?? installOrder.length, places.get(b) ?? installOrder.length];
  if (first !== second) return first - second;
  return first < installOrder.length || a === b ? 0 : a < b ? -1 : 1;
}

/** Sorts items by kind. The sort is stable. */
export function inKindOrder<T>(items: readonly T[], kindOf: (item: T) => string): readonly T[] {
  return items.toSorted((a, b) => compareKinds(kindOf(a), kindOf(b)));
}
