/**
 * The order in which kinds are created inside a rank: the list that werf documents, with the kinds that only Helm has in
 * Helm's places. Models helm pkg/release/v1/util/kind_sorter.go InstallOrder
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

/** Compares kinds by their place; kinds without one come after all that have one, by name. */
export function compareKinds(a: string, b: string): number {
  const [first, second] = [places.get(a) ?? installOrder.length, places.get(b) ?? installOrder.length];
  if (first !== second) return first - second;
  return first < installOrder.length || a === b ? 0 : a < b ? -1 : 1;
}

/** Sorts things by the kind they are of, keeping the order they have within one kind. */
export function inKindOrder<T>(items: readonly T[], kindOf: (item: T) => string): readonly T[] {
  return items.toSorted((a, b) => compareKinds(kindOf(a), kindOf(b)));
}
