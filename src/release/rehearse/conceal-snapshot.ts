import { isFields, keyOf, mapAt, refOf, type KubeObject } from "../../core/object/index.ts";
import { concealed, quoteConcealer, withoutQuotes, type SensitiveObject, type Sensitivity } from "../conceal/index.ts";
import {
  joinManifests,
  readManifestTexts,
  revisionIn,
  splitManifests,
  storageObjectOf,
  type ManifestText,
  type Revision,
} from "../record/index.ts";
import type { DurationEvidence } from "./learn-behaviour.ts";
import type { Snapshot } from "./snapshot.ts";

const hiddenValue = Buffer.from("(hidden)").toString("base64");
const nothing: Sensitivity = { whole: false, paths: [] };

/**
 * The snapshot as it may be saved: no value of a Secret, none that is marked as sensitive, and no values of a release. What
 * objects quote of its Secrets, or of these further objects, is hidden too.
 */
export function concealedSnapshot(
  snapshot: Snapshot,
  sensitive: ReadonlyMap<string, Sensitivity>,
  further: readonly SensitiveObject[] = [],
): Snapshot {
  const nowMs = Date.parse(snapshot.takenAt);
  const isMarked = (object: KubeObject) => hasSensitiveMark(object) || isSensitive(sensitive.get(keyOf(refOf(object))));
  const marked = withDependents(snapshot.objects, new Set(snapshot.objects.filter(isMarked)));
  const conceal = quoteConcealer([...snapshot.objects.filter(isSecret).map((object) => ({ object, sensitive: nothing })), ...further]);
  // A Secret may hold the name of an object, which other objects refer to.
  const kept = new Set(snapshot.objects.flatMap(({ metadata: { name, namespace = "" } }) => [name, namespace]));
  const objects = snapshot.objects.map((object) => {
    const hidden = concealedObject(object, marked.has(object), nowMs, conceal);
    return isRecord(object) ? hidden : withoutQuotes(withoutNotes(hidden, conceal), conceal, { kept });
  });
  return { ...snapshot, objects, evidence: snapshot.evidence.map((each) => withoutPullErrors(each, conceal)) };
}

/** A Secret may quote another one in its annotations. */
function withoutNotes(object: KubeObject, conceal: (text: string) => string): KubeObject {
  const { annotations } = object.metadata;
  if (annotations === undefined) return object;
  const hidden = Object.fromEntries(Object.entries(annotations).map(([key, value]) => [key, conceal(value)]));
  return { ...object, metadata: { ...object.metadata, annotations: hidden } };
}

function withoutPullErrors({ pods, ...evidence }: DurationEvidence, conceal: (text: string) => string): DurationEvidence {
  const hide = (text: string | undefined) => (text === undefined ? {} : { pullError: conceal(text) });
  return {
    ...evidence,
    pods: pods.map((pod) => ({ ...pod, containers: pod.containers.map((each) => ({ ...each, ...hide(each.pullError) })) })),
  };
}

function isRecord({ metadata }: KubeObject): boolean {
  return metadata.labels?.["owner"] === "helm";
}

function isSecret({ apiVersion, kind }: KubeObject): boolean {
  return kind === "Secret" && apiVersion === "v1";
}

function isSensitive({ whole, paths }: Sensitivity = nothing): boolean {
  return whole || paths.length > 0;
}

/** Pods and ReplicaSets repeat what their workloads say. */
function withDependents(objects: readonly KubeObject[], marked: Set<KubeObject>): ReadonlySet<KubeObject> {
  for (let size = -1; size !== marked.size;) {
    size = marked.size;
    const uids = new Set([...marked].map(({ metadata }) => metadata.uid));
    for (const object of objects) if (object.metadata.ownerReferences?.some(({ uid }) => uids.has(uid)) === true) marked.add(object);
  }
  return marked;
}

function concealedObject(object: KubeObject, isMarked: boolean, nowMs: number, conceal: (text: string) => string): KubeObject {
  const revision = isRecord(object) ? revisionIn(object) : undefined;
  if (revision !== undefined) return concealedRecord(object, revision, nowMs, conceal);
  const { [lastApplied]: _copy, ...annotations } = object.metadata.annotations ?? {};
  const plain = object.metadata.annotations === undefined ? object : { ...object, metadata: { ...object.metadata, annotations } };
  if (isSecret(object)) return { ...plain, data: Object.fromEntries(Object.keys(mapAt(object, "data")).map((key) => [key, hiddenValue])) };
  return isMarked ? veiled(plain) : plain;
}

/** `kubectl apply` stores a copy of all values here. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/** What a workload says of its pods decides how they run, and is kept but for the texts that can hold a secret. */
const podFields = new Set(["args", "command", "env"]);
const hasPods = new Set(["ControllerRevision", "CronJob", "DaemonSet", "Deployment", "Job", "Pod", "ReplicaSet", "StatefulSet"]);

function veiled({ apiVersion, kind, metadata, ...rest }: KubeObject): KubeObject {
  if (hasPods.has(kind)) return { apiVersion, kind, metadata, ...(withoutPodTexts(rest) as object) };
  const hidden = kind === "ConfigMap" ? hideTexts(rest) : { ...(hideTexts(rest) as object), status: rest["status"] };
  return { apiVersion, kind, metadata, ...(hidden as object) };
}

/** Hides the values of variables, commands and annotations wherever they are. */
function withoutPodTexts(value: unknown, name = ""): unknown {
  if (name === "annotations") return {};
  if (Array.isArray(value)) return podFields.has(name) ? value.map(hideVariable) : value.map((item) => withoutPodTexts(item));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, item]) => [field, withoutPodTexts(item, field)]));
}

/** A variable keeps its name, and where its value comes from. */
function hideVariable(item: unknown): unknown {
  if (!isFields(item)) return "(hidden)";
  return "value" in item ? { ...item, value: "(hidden)" } : item;
}

function hideTexts(value: unknown): unknown {
  if (typeof value === "string") return "(hidden)";
  if (typeof value === "number") return 0;
  if (Array.isArray(value)) return value.map(hideTexts);
  return isFields(value) ? Object.fromEntries(Object.entries(value).map(([field, item]) => [field, hideTexts(item)])) : value;
}

/** A record without the user's values, the chart's files and the notes, and with the Secrets in its manifests hidden. */
function concealedRecord(object: KubeObject, revision: Revision, nowMs: number, conceal: (text: string) => string): KubeObject {
  const { metadata } = object;
  const shown = (manifest: ManifestText) => {
    const { source, text } = concealedText(manifest);
    return { source, text: conceal(text) };
  };
  const { data } = storageObjectOf(
    {
      ...revision,
      manifest: joinManifests(splitManifests(revision.manifest).map(shown)),
      hooks: revision.hooks.map((hook) => ({ ...hook, manifest: shown({ source: hook.path, text: hook.manifest }).text })),
      chart: { metadata: revision.chart["metadata"] },
      config: {},
      notes: "",
    },
    nowMs,
  );
  return { ...object, metadata, data };
}

/** A manifest that is no Secret stays as it is written; JSON is YAML. */
function concealedText({ source, text }: ManifestText): ManifestText {
  const { manifests, problems } = readManifestTexts([{ source, text }]);
  // What cannot be read cannot be hidden either.
  if (problems.length > 0) return { source, text: "" };
  const hasSecrets = manifests.some(({ object }) => object.kind === "Secret" || hasSensitiveMark(object));
  if (!hasSecrets) return { source, text };
  return { source, text: manifests.map(({ object }) => `${JSON.stringify(concealedManifest(object))}\n`).join("---\n") };
}

function concealedManifest(object: KubeObject): KubeObject {
  if (object.kind !== "Secret") return concealed(object, { whole: true, paths: [] });
  const keys = [...Object.keys(mapAt(object, "data")), ...Object.keys(mapAt(object, "stringData"))];
  const { stringData: _stringData, ...rest } = concealed(object, nothing);
  return { ...rest, data: Object.fromEntries(keys.map((key) => [key, hiddenValue])) };
}

/** Which paths an old manifest marks is not worked out: one that marks any is hidden as a whole. */
function hasSensitiveMark(object: KubeObject): boolean {
  return Object.entries(object.metadata.annotations ?? {}).some(
    ([key, value]) => key.endsWith("/sensitive-paths") || (key.endsWith("/sensitive") && value.toLowerCase() !== "false"),
  );
}
