import { mapAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { decodeRelease, encodeRelease, type UnpackBudget } from "./release-codec.ts";
import type { Release, Revision, StorageKind } from "./revision.ts";

const secretType = "helm.sh/release.v1";

/** The labels that storage uses. Models helm pkg/storage/driver/util.go systemLabels */
const ownLabels = new Set(["name", "owner", "status", "version", "createdAt", "modifiedAt"]);

export function isStorageLabel(key: string): boolean {
  return ownLabels.has(key);
}

/** Marks a record that Sluice wrote last: Helm replaces the whole object and leaves this out. */
const writerAnnotation = "sluice.dev/writer";

export function storageName(release: string, revision: number): string {
  return `sh.helm.release.v1.${release}.v${revision}`;
}

/** The label selector for the records of one release, or of all. */
export function storageSelector(release?: string): string {
  return release === undefined ? "owner=helm" : `name=${release},owner=helm`;
}

/** The Secret or ConfigMap that stores a revision. Models helm pkg/storage/driver/secrets.go newSecretsObject */
export function storageObjectOf(revision: Revision, nowMs: number): KubeObject {
  const { name, namespace, storage, stored } = revision;
  const seconds = String(Math.floor(nowMs / 1000));
  const labels = {
    ...storageLabelsOf(revision),
    ...(stored === undefined ? { createdAt: seconds } : { modifiedAt: seconds }),
  };
  const version = stored === undefined ? {} : { resourceVersion: stored.resourceVersion };
  const annotations = { ...revision.annotations, [writerAnnotation]: "sluice" };
  const metadata = { name: storageName(name, revision.revision), namespace, labels, annotations, ...version };
  const text = encodeRelease(revision);
  if (storage === "ConfigMap") return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { release: text } };
  const data = { release: Buffer.from(text).toString("base64") };
  return { apiVersion: "v1", kind: "Secret", metadata, type: secretType, data };
}

/** The labels of the object that a revision was read from. */
export function storageLabelsOf({ name, state, revision, labels, stored }: Revision): Readonly<Record<string, string>> {
  const { createdAt, modifiedAt } = stored ?? {};
  return {
    ...withoutOwn(labels),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(modifiedAt === undefined ? {} : { modifiedAt }),
    name,
    owner: "helm",
    status: state,
    version: String(revision),
  };
}

/** The text under the key `release`, as `encodeRelease` writes it. */
export function encodedReleaseIn(object: KubeObject): string {
  const text = mapAt(object, "data")["release"] ?? "";
  return object.kind === "Secret" ? Buffer.from(text, "base64").toString("latin1") : text;
}

/** The release and revision of a record, by its labels; undefined for any other object. */
export function revisionNamedBy({ metadata }: KubeObject): (Release & { readonly revision: number }) | undefined {
  const { name, version } = metadata.labels ?? {};
  const revision = Number(version);
  if (name === undefined || !Number.isInteger(revision) || revision < 1) return undefined;
  if (metadata.name !== storageName(name, revision)) return undefined;
  return { name, namespace: metadata.namespace ?? "", revision };
}

/**
 * The revision of a record; undefined for any other object. An unreadable one is `unknown`, with the reason in its
 * description: its number must not be reused, and it must not block others.
 */
export function revisionIn(object: KubeObject, budget?: UnpackBudget): Revision | undefined {
  const named = revisionNamedBy(object);
  if (named === undefined) return undefined;
  const { [writerAnnotation]: _writer, ...annotations } = object.metadata.annotations ?? {};
  const kept = {
    labels: withoutOwn(object.metadata.labels ?? {}),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    storage: storageOf(object),
    stored: storedVersionOf(object),
  };
  try {
    return { ...decodeRelease(encodedReleaseIn(object), budget), ...named, ...kept };
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    const description = `the record ${stringAt(object, "metadata.name", "")} cannot be read: ${because}`;
    return { ...named, state: "unknown", manifest: "", hooks: [], chart: {}, config: {}, description, notes: "", ...kept };
  }
}

/** The version of a record, and who wrote it. */
export function storedVersionOf({ metadata }: KubeObject): NonNullable<Revision["stored"]> {
  const { resourceVersion = "", uid, labels = {}, annotations = {} } = metadata;
  const { createdAt, modifiedAt } = labels;
  const writer = annotations[writerAnnotation] === "sluice" ? "sluice" : "helm";
  return {
    resourceVersion,
    ...(uid === undefined ? {} : { uid }),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(modifiedAt === undefined ? {} : { modifiedAt }),
    writer,
  };
}

function storageOf({ kind }: KubeObject): StorageKind {
  return kind === "ConfigMap" ? "ConfigMap" : "Secret";
}

function withoutOwn(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !ownLabels.has(key)));
}
