import { mapAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { decodeRelease, encodeRelease } from "./release-codec.ts";
import type { Release, Revision, StorageKind } from "./revision.ts";

const secretType = "helm.sh/release.v1";

/** The labels that belong to storage. Models helm pkg/storage/driver/util.go systemLabels */
const ownLabels = new Set(["name", "owner", "status", "version", "createdAt", "modifiedAt"]);

export function storageName(release: string, revision: number): string {
  return `sh.helm.release.v1.${release}.v${revision}`;
}

/** What selects the records of one release, or of all of them. */
export function storageSelector(release?: string): string {
  return release === undefined ? "owner=helm" : `name=${release},owner=helm`;
}

/** The Secret or ConfigMap to write for a revision. Models helm pkg/storage/driver/secrets.go newSecretsObject */
export function storageObjectOf(revision: Revision, nowMs: number): KubeObject {
  const { name, namespace, storage, stored } = revision;
  const seconds = String(Math.floor(nowMs / 1000));
  const labels = {
    ...withoutOwn(revision.labels),
    ...(stored === undefined ? { createdAt: seconds } : { modifiedAt: seconds }),
    ...(stored?.createdAt === undefined ? {} : { createdAt: stored.createdAt }),
    name,
    owner: "helm",
    status: revision.state,
    version: String(revision.revision),
  };
  const version = stored === undefined ? {} : { resourceVersion: stored.resourceVersion };
  const metadata = { name: storageName(name, revision.revision), namespace, labels, ...version };
  const text = encodeRelease(revision);
  if (storage === "ConfigMap") return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { release: text } };
  const data = { release: Buffer.from(text).toString("base64") };
  return { apiVersion: "v1", kind: "Secret", metadata, type: secretType, data };
}

/** The text under the key `release`, as `encode` made it. */
export function encodedReleaseIn(object: KubeObject): string {
  const text = mapAt(object, "data")["release"] ?? "";
  return object.kind === "Secret" ? Buffer.from(text, "base64").toString("latin1") : text;
}

/** Which revision of which release an object is the record of, as its labels say; nothing for any other object. */
export function revisionNamedBy({ metadata }: KubeObject): (Release & { readonly revision: number }) | undefined {
  const { name, version } = metadata.labels ?? {};
  const revision = Number(version);
  if (name === undefined || !Number.isInteger(revision) || revision < 1) return undefined;
  if (metadata.name !== storageName(name, revision)) return undefined;
  return { name, namespace: metadata.namespace ?? "", revision };
}

/**
 * The revision that an object is the record of; nothing when it is none. One that cannot be read is `unknown`, with the
 * reason in its description: it must neither be taken for absent, which would give its number away, nor hold up others.
 */
export function revisionIn(object: KubeObject): Revision | undefined {
  const named = revisionNamedBy(object);
  if (named === undefined) return undefined;
  const { labels = {}, resourceVersion = "" } = object.metadata;
  const createdAt = labels["createdAt"];
  const kept = {
    labels: withoutOwn(labels),
    storage: storageOf(object),
    stored: { resourceVersion, ...(createdAt === undefined ? {} : { createdAt }) },
  };
  try {
    return { ...decodeRelease(encodedReleaseIn(object)), ...named, ...kept };
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    const description = `the record ${stringAt(object, "metadata.name", "")} cannot be read: ${because}`;
    return { ...named, state: "unknown", manifest: "", hooks: [], chart: {}, config: {}, description, notes: "", ...kept };
  }
}

function storageOf({ kind }: KubeObject): StorageKind {
  return kind === "ConfigMap" ? "ConfigMap" : "Secret";
}

function withoutOwn(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !ownLabels.has(key)));
}
