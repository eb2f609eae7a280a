import { equal, fieldsAt, listAt, mapAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";

// Models pkg/controller/daemon/util/daemonset_util.go

const hashLabel = "controller-revision-hash";
const generationLabel = "pod-template-generation";

/** The taints that daemon Pods tolerate. */
const toleratedTaints: readonly Fields[] = [
  { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/disk-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/pid-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/unschedulable", operator: "Exists", effect: "NoSchedule" },
];

const networkUnavailable: Fields = { key: "node.kubernetes.io/network-unavailable", operator: "Exists", effect: "NoSchedule" };

export function withDaemonTolerations(spec: Fields): Fields {
  const added = spec["hostNetwork"] === true ? [...toleratedTaints, networkUnavailable] : toleratedTaints;
  const tolerations = added.reduce(withToleration, listAt(spec, "tolerations"));
  return { ...spec, tolerations };
}

/** A toleration of the same taint is replaced, whatever its duration. */
function withToleration(tolerations: readonly Fields[], added: Fields): readonly Fields[] {
  const isSame = ({ tolerationSeconds: _any, ...rest }: Fields) => equal(rest, added);
  return tolerations.some(isSame) ? tolerations.map((one) => (isSame(one) ? added : one)) : [...tolerations, added];
}

/** The template of the Pod for one node. */
export function daemonPodTemplate(set: KubeObject, hash: string, node: string): Fields {
  const template = fieldsAt(set, "spec.template");
  const metadata = fieldsAt(template, "metadata");
  const spec = withDaemonTolerations(fieldsAt(template, "spec"));
  const generation = templateGeneration(set);
  const labels = {
    ...mapAt(metadata, "labels"),
    ...(generation === undefined ? {} : { [generationLabel]: generation }),
    [hashLabel]: hash,
  };
  return { ...template, metadata: { ...metadata, labels }, spec: { ...spec, affinity: pinnedTo(node, fieldsAt(spec, "affinity")) } };
}

/** Node selection has been made by the controller, so the Pod is pinned to one node. */
function pinnedTo(node: string, affinity: Fields): Fields {
  const term = { matchFields: [{ key: "metadata.name", operator: "In", values: [node] }] };
  const required = { ...fieldsAt(affinity, "nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"), nodeSelectorTerms: [term] };
  return { ...affinity, nodeAffinity: { ...fieldsAt(affinity, "nodeAffinity"), requiredDuringSchedulingIgnoredDuringExecution: required } };
}

/** The node that a Pod is bound or pinned to. */
export function targetNode(pod: KubeObject): string | undefined {
  const bound = stringAt(pod, "spec.nodeName", "");
  if (bound !== "") return bound;
  const terms = listAt(pod, "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms");
  const named = terms
    .flatMap((term) => listAt(term, "matchFields"))
    .find(({ key, operator }) => key === "metadata.name" && operator === "In");
  const values = stringsAt(named, "values");
  return values.length === 1 ? values[0] : undefined;
}

function templateGeneration({ metadata }: KubeObject): string | undefined {
  const text = metadata.annotations?.["deprecated.daemonset.template.generation"];
  return text !== undefined && /^-?\d+$/.test(text) ? text : undefined;
}

/** Whether the Pod has the set's template, by its hash or by its generation. */
export function isUpdated(set: KubeObject, hash: string, { metadata }: KubeObject): boolean {
  const generation = templateGeneration(set);
  return templateHashOf({ metadata }) === hash || (generation !== undefined && metadata.labels?.[generationLabel] === generation);
}

/** The template hash in the labels of a Pod or a revision. */
export function templateHashOf({ metadata }: Pick<KubeObject, "metadata">): string | undefined {
  return metadata.labels?.[hashLabel];
}

export { hashLabel };
