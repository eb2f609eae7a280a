import {
  fieldsAt,
  listAt,
  mapAt,
  numberAt,
  stringAt,
  stringsAt,
  valueAt,
  type Fields,
  type KubeObject,
} from "../../../core/object/index.ts";
import { templateIn } from "../history/index.ts";
import { newControllerRef } from "../owner/index.ts";
import { revisionLabel } from "./revisions.ts";
import {
  claimName,
  claimTemplates,
  isStatefulSetRolling,
  parentAndOrdinalOf,
  partitionOf,
  podName,
  startOrdinalOf,
  type StatefulSetSync,
} from "./stateful-set-sync.ts";

// Models pkg/controller/statefulset/stateful_set_utils.go

/** The Pod of an ordinal: of the current revision below the partition, otherwise of the update revision. */
export function newStatefulPod({ set, revisions }: StatefulSetSync, ordinal: number): KubeObject {
  const revision = usesCurrentRevision(set, ordinal) ? revisions.current : revisions.update;
  const template = templateIn(revision);
  const name = podName(set, ordinal);
  const annotations = mapAt(template, "metadata.annotations");
  const finalizers = stringsAt(template, "metadata.finalizers");
  const spec = fieldsAt(template, "spec");
  const volumes = volumesFor(set, ordinal, listAt(spec, "volumes"));
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: set.metadata.namespace ?? "",
      generateName: `${set.metadata.name}-`,
      labels: { ...mapAt(template, "metadata.labels"), ...identityLabels(name, ordinal), ...revisionLabel(revision) },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ...(finalizers.length === 0 ? {} : { finalizers }),
      ownerReferences: [newControllerRef(set)],
    },
    spec: { ...spec, hostname: name, ...subdomain(set), ...(volumes.length === 0 ? {} : { volumes }) },
  };
}

function usesCurrentRevision(set: KubeObject, ordinal: number): boolean {
  if (valueAt(set, "spec.updateStrategy.rollingUpdate") !== undefined) return ordinal < startOrdinalOf(set) + partitionOf(set);
  return isStatefulSetRolling(set) && ordinal < startOrdinalOf(set) + numberAt(set, "status.currentReplicas", 0);
}

function subdomain(set: KubeObject): Fields {
  const service = stringAt(set, "spec.serviceName", "");
  return service === "" ? {} : { subdomain: service };
}

function identityLabels(name: string, ordinal: number): Readonly<Record<string, string>> {
  return { "statefulset.kubernetes.io/pod-name": name, "apps.kubernetes.io/pod-index": String(ordinal) };
}

/** The volumes of claim templates replace volumes of the template with the same name. */
function volumesFor(set: KubeObject, ordinal: number, volumes: readonly Fields[]): readonly Fields[] {
  const claimed = claimTemplates(set).map(({ name }) => ({ name, persistentVolumeClaim: { claimName: claimName(set, name, ordinal) } }));
  const names = new Set<unknown>(claimed.map(({ name }) => name));
  return [...claimed, ...volumes.filter(({ name }) => !names.has(name))];
}

export function hasIdentity(set: KubeObject, pod: KubeObject): boolean {
  const member = parentAndOrdinalOf(pod);
  const { name, labels } = pod.metadata;
  return (
    member?.parent === set.metadata.name && name === podName(set, member.ordinal) && labels?.["statefulset.kubernetes.io/pod-name"] === name
  );
}

export function hasStorage(set: KubeObject, pod: KubeObject): boolean {
  const ordinal = parentAndOrdinalOf(pod)?.ordinal;
  if (ordinal === undefined) return false;
  const claims = new Map(
    listAt(pod, "spec.volumes").map((volume) => [volume["name"], stringAt(volume, "persistentVolumeClaim.claimName")]),
  );
  return claimTemplates(set).every(({ name }) => claims.get(name) === claimName(set, name, ordinal));
}

/** The Pod with the labels and volumes of its ordinal. */
export function withIdentity(set: KubeObject, pod: KubeObject): KubeObject {
  const ordinal = parentAndOrdinalOf(pod)?.ordinal ?? 0;
  const labels = { ...pod.metadata.labels, ...identityLabels(pod.metadata.name, ordinal) };
  const marked = { ...pod, metadata: { ...pod.metadata, labels } };
  if (hasStorage(set, pod)) return marked;
  const spec = fieldsAt(pod, "spec");
  return { ...marked, spec: { ...spec, volumes: volumesFor(set, ordinal, listAt(spec, "volumes")) } };
}
