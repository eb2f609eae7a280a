import { listAt, stringAt, type GroupVersionKind, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { SnapshotReader } from "./snapshot-reader.ts";
import type { Snapshot } from "./snapshot.ts";

/** What a plan touches or waits for. */
type SnapshotScope = {
  readonly refs: readonly ObjectRef[];
  /** The namespaces that are read whole, beside those of `refs`. */
  readonly namespaces: readonly string[];
};

const kindsOf = (group: string, version: string, ...kinds: readonly string[]): readonly GroupVersionKind[] =>
  kinds.map((kind) => ({ group, version, kind }));

/** What decides in its namespace how a rollout goes: limits, what pods refer to, workloads and what belongs to them. */
const namespacedKinds = [
  ...kindsOf("", "v1", "ConfigMap", "LimitRange", "PersistentVolumeClaim", "Pod", "ReplicationController", "ResourceQuota"),
  ...kindsOf("", "v1", "Secret", "Service", "ServiceAccount"),
  ...kindsOf("apps", "v1", "ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"),
  ...kindsOf("autoscaling", "v2", "HorizontalPodAutoscaler"),
  ...kindsOf("batch", "v1", "CronJob", "Job"),
  ...kindsOf("policy", "v1", "PodDisruptionBudget"),
];

/** What decides in the whole cluster. */
const clusterKinds = [
  ...kindsOf("", "v1", "Node", "PersistentVolume"),
  ...kindsOf("networking.k8s.io", "v1", "IngressClass"),
  ...kindsOf("node.k8s.io", "v1", "RuntimeClass"),
  ...kindsOf("scheduling.k8s.io", "v1", "PriorityClass"),
  ...kindsOf("storage.k8s.io", "v1", "StorageClass"),
  ...kindsOf("admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"),
];

const webhookKinds = kindsOf("admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration");

/** Reads what matters for a plan. Sends reads only; what it may not read is in `unseen`. */
export async function readSnapshot(scope: SnapshotScope, cluster: Cluster, signal: AbortSignal): Promise<Omit<Snapshot, "evidence">> {
  const reader = new SnapshotReader(cluster, signal);
  const namespaces = [...new Set([...scope.namespaces, ...scope.refs.map(({ namespace }) => namespace)])].filter((name) => name !== "");
  const takenAt = new Date(cluster.clock.now()).toISOString();
  const [version, webhooks] = await Promise.all([
    cluster.version({ signal }),
    Promise.all(webhookKinds.map((kind) => reader.listUnkept(kind))),
    ...clusterKinds.map((kind) => reader.list(kind)),
    ...namespaces.flatMap((namespace) => namespacedKinds.map((kind) => reader.list(kind, namespace))),
    reader.listOtherPods(namespaces),
    ...namespaces.map((name) => reader.findNamespace(name)),
    ...crdNames(scope.refs, reader),
  ]);
  await Promise.all(scope.refs.map((ref) => reader.find(ref)));
  await reader.listCustomResources();
  await reader.findOwners();
  await reader.findPolicyParameters();
  return {
    takenAt,
    kubernetes: version.gitVersion,
    namespaces,
    objects: reader.objects(),
    unseen: reader.unseen,
    webhooks: webhooks.flat().flatMap(webhookNamesIn),
  };
}

/** The kinds of CRDs have the name of a domain as their group. */
function crdNames(refs: readonly ObjectRef[], reader: SnapshotReader): readonly Promise<void>[] {
  const kinds = new Map(refs.filter(({ group }) => group.includes(".")).map((ref) => [`${ref.group}/${ref.kind}`, ref]));
  return [...kinds.values()].map((ref) => reader.findCrdOf(ref));
}

function webhookNamesIn(configuration: KubeObject): readonly string[] {
  return listAt(configuration, "webhooks").map((webhook) => `${stringAt(webhook, "name", "")} of ${configuration.metadata.name}`);
}
