/** The order in which Helm installs kinds; what is not named comes after all that is. Models helm pkg/release/v1/util/kind_sorter.go InstallOrder */
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
];

const places = new Map(installOrder.map((kind, place) => [kind, place]));

/** Sorts things by the kind they are of, keeping the order they have within one kind. */
export function inKindOrder<T>(items: readonly T[], kindOf: (item: T) => string): readonly T[] {
  const place = (item: T) => places.get(kindOf(item)) ?? installOrder.length;
  return items.toSorted((a, b) => place(a) - place(b));
}
