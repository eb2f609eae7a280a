import { fieldsAt, isFields, listAt, mapAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { changed, isUnset, withoutFields, withField } from "../field-edits.ts";
import { qosClassOf } from "../pod-resources.ts";
import { withAppArmorProfiles } from "./app-armor.ts";
import { bumpGenerationOnChange, keepStatus, takeStatusOnly, withGeneration, withStatus, type WriteTime } from "./generation-and-status.ts";

// Models pkg/registry/core/pod/strategy.go

const gatedCondition = {
  type: "PodScheduled",
  status: "False",
  lastProbeTime: null,
  reason: "SchedulingGated",
  message: "Scheduling is blocked due to non-empty scheduling gates",
};

export function preparePodForCreate(sent: KubeObject, { now, warn = () => {} }: WriteTime): KubeObject {
  const pod = withAppArmorProfiles(sent, warn);
  const gated = listAt(pod, "spec.schedulingGates").length > 0;
  const conditions = gated ? { conditions: [{ ...gatedCondition, lastTransitionTime: now }] } : {};
  const qosClass = qosClassOf(pod["spec"]);
  return withSelectedLabels(withStatus(withGeneration(pod, 1), { phase: "Pending", ...conditions, qosClass }));
}

export function preparePodForUpdate(pod: KubeObject, live: KubeObject): KubeObject {
  // A binding does not increase the generation. Models pkg/registry/core/pod/storage/storage.go assignPod
  const unbound = stringAt(live, "spec.nodeName", "") === "";
  const bound = unbound ? { ...live, spec: withField(fieldsAt(live, "spec"), "nodeName", fieldsAt(pod, "spec")["nodeName"]) } : live;
  return bumpGenerationOnChange(keepStatus(pod, live), bound, ["spec"]);
}

export function preparePodStatus(pod: KubeObject, live: KubeObject): KubeObject {
  const written = takeStatusOnly(pod, live);
  const qosClass = stringAt(live, "status.qosClass");
  const metadata = withField(
    withField(written.metadata, "ownerReferences", live.metadata.ownerReferences),
    "deletionTimestamp",
    live.metadata.deletionTimestamp,
  );
  const classed = changed(written, "status", (status) => (isUnset(status["qosClass"]) ? withField(status, "qosClass", qosClass) : status));
  return metadata === written.metadata ? classed : { ...classed, metadata };
}

/** Adds matchLabelKeys to the selectors beside them. Models mutatePodAffinity and mutateTopologySpreadConstraints */
function withSelectedLabels(pod: KubeObject): KubeObject {
  const labels = mapAt(pod, "metadata.labels");
  return changed(pod, "spec", (spec) => {
    const spread = eachItem(spec, "topologySpreadConstraints", (constraint) => selecting(constraint, labels));
    return changed(spread, "affinity", (affinity) =>
      ["podAffinity", "podAntiAffinity"].reduce((result, name) => changed(result, name, (terms) => affinityTerms(terms, labels)), affinity),
    );
  });
}

function affinityTerms(terms: Fields, labels: Readonly<Record<string, string>>): Fields {
  const required = eachItem(terms, "requiredDuringSchedulingIgnoredDuringExecution", (term) => selecting(term, labels));
  return eachItem(required, "preferredDuringSchedulingIgnoredDuringExecution", (weighted) =>
    changed(weighted, "podAffinityTerm", (term) => selecting(term, labels)),
  );
}

function eachItem(fields: Fields, name: string, change: (item: Fields) => Fields): Fields {
  const items = fields[name];
  return Array.isArray(items) ? { ...fields, [name]: items.map((item) => (isFields(item) ? change(item) : item)) } : fields;
}

function selecting(term: Fields, labels: Readonly<Record<string, string>>): Fields {
  const selector = term["labelSelector"];
  if (!isFields(selector)) return term;
  const wanted = requirements(stringsAt(term, "matchLabelKeys"), "In", labels);
  const unwanted = requirements(stringsAt(term, "mismatchLabelKeys"), "NotIn", labels);
  const added = [...wanted, ...unwanted];
  if (added.length === 0) return term;
  return { ...term, labelSelector: { ...selector, matchExpressions: [...listAt(selector, "matchExpressions"), ...added] } };
}

function requirements(keys: readonly string[], operator: string, labels: Readonly<Record<string, string>>): readonly Fields[] {
  return keys.filter((key) => labels[key] !== undefined).map((key) => ({ key, operator, values: [labels[key]] }));
}

/** One without a name gets a uid for it. Models pkg/registry/core/limitrange/strategy.go */
export function prepareLimitRangeForCreate(range: KubeObject, { newUid = () => "" }: WriteTime): KubeObject {
  return range.metadata.name ? range : { ...range, metadata: { ...range.metadata, name: newUid() } };
}

/** Models pkg/registry/core/namespace/strategy.go */
export function prepareNamespaceForCreate(namespace: KubeObject): KubeObject {
  const finalizers = stringsAt(namespace, "spec.finalizers");
  const spec = finalizers.includes("kubernetes")
    ? namespace["spec"]
    : { ...fieldsAt(namespace, "spec"), finalizers: [...finalizers, "kubernetes"] };
  return withStatus(withField(namespace, "spec", spec), { phase: "Active" });
}

/** Finalizers of the spec change through /finalize only. */
export function prepareNamespaceForUpdate(namespace: KubeObject, live: KubeObject): KubeObject {
  const finalizers = stringsAt(live, "spec.finalizers");
  const spec = withField(fieldsAt(namespace, "spec"), "finalizers", finalizers.length > 0 ? finalizers : undefined);
  return keepStatus(withField(namespace, "spec", spec), live);
}

/** Models pkg/registry/core/persistentvolume/strategy.go */
export function preparePersistentVolumeForCreate(volume: KubeObject, { now }: WriteTime): KubeObject {
  return withStatus(volume, { phase: "Pending", lastPhaseTransitionTime: now });
}

export function preparePersistentVolumeStatus(volume: KubeObject, live: KubeObject, { now }: WriteTime): KubeObject {
  const written = takeStatusOnly(volume, live);
  const before = fieldsAt(live, "status");
  return changed(written, "status", (status) => {
    const time = status["lastPhaseTransitionTime"];
    const lives = before["lastPhaseTransitionTime"];
    if (before["phase"] === status["phase"]) return isUnset(time) ? withField(status, "lastPhaseTransitionTime", lives) : status;
    return isUnset(time) || time === lives ? { ...status, lastPhaseTransitionTime: now } : status;
  });
}

// Models pkg/registry/core/persistentvolumeclaim/strategy.go and pkg/api/persistentvolumeclaim/util.go

function isUsableSource(source: Fields): boolean {
  const group = stringAt(source, "apiGroup", "");
  const kind = stringAt(source, "kind", "");
  return (kind === "PersistentVolumeClaim" && group === "") || (kind === "VolumeSnapshot" && group === "snapshot.storage.k8s.io");
}

/** Copies dataSource and dataSourceRef to each other where possible, and drops an unsupported source. */
function withSources(spec: Fields, live: Fields): Fields {
  const source = spec["dataSource"];
  const isNew = isUnset(live["dataSource"]) && isUnset(live["dataSourceRef"]);
  if (isFields(source) && isUnset(spec["dataSourceRef"])) {
    if (isNew && !isUsableSource(source)) return withoutFields(spec, "dataSource");
    return { ...spec, dataSourceRef: source };
  }
  const ref = spec["dataSourceRef"];
  if (!isFields(ref) || isFields(source) || !isUnset(ref["namespace"])) return spec;
  return { ...spec, dataSource: ref };
}

export function preparePersistentVolumeClaimForCreate(claim: KubeObject): KubeObject {
  return withStatus(
    changed(claim, "spec", (spec) => withSources(spec, {})),
    { phase: "Pending" },
  );
}

export function preparePersistentVolumeClaimForUpdate(claim: KubeObject, live: KubeObject): KubeObject {
  return keepStatus(
    changed(claim, "spec", (spec) => withSources(spec, fieldsAt(live, "spec"))),
    live,
  );
}

/** Models pkg/registry/core/serviceaccount/strategy.go cleanSecretReferences */
export function prepareServiceAccount(account: KubeObject): KubeObject {
  const secrets = account["secrets"];
  if (!Array.isArray(secrets)) return account;
  return withField(
    account,
    "secrets",
    secrets.map((secret) => ({ name: stringAt(secret, "name") })),
  );
}
