import type { KubeObject } from "../../core/object/index.ts";
import { contentHash } from "./hash.ts";
import { labelValue } from "./label.ts";
import { typeInNames, type ClusterId, type ProfileKind } from "./object-names.ts";

export const featureIds = ["Resources", "Helm", "Kustomize"] as const;
/** The feature of a profile that deploys an object. */
export type FeatureId = (typeof featureIds)[number];

/** Why an object is deployed: the profile that owns it, and the ConfigMap or Secret that contains it. */
export type Ownership = {
  readonly feature: FeatureId;
  readonly reference: { readonly kind: string; readonly namespace: string; readonly name: string; readonly tier: number };
  readonly owner: { readonly kind: ProfileKind; readonly namespace: string; readonly name: string; readonly tier: number };
  readonly cluster: ClusterId;
};

const prefix = "projectsveltos.io";

/** Selects the objects that a feature deployed, of any profile: `projectsveltos.io/reason`. */
export const reasonLabel = `${prefix}/reason`;
export const hashAnnotation = `${prefix}/hash`;

const referenceKind = `${prefix}/reference-kind`;
const referenceName = `${prefix}/reference-name`;
const referenceNamespace = `${prefix}/reference-namespace`;
const referenceTier = `${prefix}/reference-tier`;
const ownerKind = `${prefix}/owner-kind`;
const ownerName = `${prefix}/owner-name`;
const ownerNamespace = `${prefix}/owner-namespace`;
const ownerTier = `${prefix}/owner-tier`;
const clusterSummary = `${prefix}/clustersummary`;
const deploymentType = `${prefix}/deploymenttype`;

/** The metadata that LeavePolicies removes. The hash, the tier and the reason stay. */
const ownershipLabels = [referenceKind, referenceName, referenceNamespace];
const ownershipAnnotations = [referenceKind, referenceName, referenceNamespace, referenceTier, ownerKind, ownerName, ownerNamespace];

/**
 * An object with the labels of the first Sveltos versions, the owner annotations of newer ones, and the hash of its
 * manifest. `written` must be the manifest before anything is added.
 */
export function withOwnership(written: KubeObject, ownership: Ownership): KubeObject {
  const { metadata } = written;
  return {
    ...written,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, ...labelsFor(ownership) },
      annotations: { ...metadata.annotations, ...annotationsFor(ownership), [hashAnnotation]: contentHash(written) },
    },
  };
}

/** An object without ownership metadata and ownerReferences to profiles, as LeavePolicies leaves it. */
export function withoutOwnership(object: KubeObject): KubeObject {
  const { labels = {}, annotations = {}, ownerReferences = [], ...rest } = object.metadata;
  const others = ownerReferences.filter(({ apiVersion, kind }) => !isProfile(apiVersion, kind));
  return {
    ...object,
    metadata: {
      ...rest,
      labels: without(labels, ownershipLabels),
      annotations: without(annotations, ownershipAnnotations),
      ...(others.length > 0 && { ownerReferences: others }),
    },
  };
}

/**
 * The change of a live object's annotations and ownerReferences that makes it another profile's, or the same one's under
 * another name of the cluster. Its content stays, and so does the name of its ConfigMap or Secret, until the new owner applies
 * its own.
 */
export function ownerChange(
  { metadata }: KubeObject,
  owner: Ownership["owner"],
  cluster: ClusterId,
): Pick<KubeObject["metadata"], "ownerReferences"> & {
  readonly annotations: Readonly<Record<string, string | null>>;
} {
  const { ownerReferences } = metadata;
  return {
    annotations: {
      ...ownerMarks(owner),
      [clusterSummary]: clusterText(cluster),
      // The new owner has not applied its content yet.
      [hashAnnotation]: null,
    },
    ...(ownerReferences !== undefined && {
      ownerReferences: ownerReferences.filter(({ apiVersion, kind }) => !isProfile(apiVersion, kind)),
    }),
  };
}

/** The annotations that make the newest record of a Helm release a profile's. */
export function releaseMarks(owner: Ownership["owner"], cluster: ClusterId): Readonly<Record<string, string | null>> {
  return { ...ownerMarks(owner), [clusterSummary]: clusterText(cluster) };
}

/** A null removes the namespace of an owner before. */
function ownerMarks({ kind, namespace, name, tier }: Ownership["owner"]): Readonly<Record<string, string | null>> {
  return { [ownerKind]: kind, [ownerName]: name, [ownerNamespace]: kind === "Profile" ? namespace : null, [ownerTier]: String(tier) };
}

/** The cluster for which a live object was deployed, as its annotation names it; undefined in older generations. */
export function deployedForCluster({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[clusterSummary];
}

/** The name of a cluster in the annotation that `deployedForCluster` reads: `sveltos-mgmt-c1`. */
export function clusterText({ type, namespace, name }: ClusterId): string {
  return `${typeInNames(type)}-${namespace}-${name}`;
}

/** The profile that owns a live object. */
export type ProfileOwner = {
  readonly kind: ProfileKind;
  readonly namespace: string;
  readonly name: string;
  /** Infinity if none is recorded, or an invalid one: any profile may take the object over. */
  readonly tier: number;
};

/** Reads the owner from annotations or, in older generations, from the ownerReference; undefined: no profile owns it. */
export function owningProfileOf({ metadata }: KubeObject): ProfileOwner | undefined {
  const annotations = metadata.annotations ?? {};
  const tier = tierOf(annotations[ownerTier]);
  const [kind, name] = [annotations[ownerKind], annotations[ownerName]];
  if (isProfileKind(kind) && name !== undefined) return { kind, namespace: annotations[ownerNamespace] ?? "", name, tier };
  const reference = metadata.ownerReferences?.find((entry) => isProfile(entry.apiVersion, entry.kind));
  return reference !== undefined && isProfileKind(reference.kind)
    ? { kind: reference.kind, namespace: "", name: reference.name, tier }
    : undefined;
}

/** Reads the ConfigMap or Secret of a live object from annotations or, in older generations, from labels. */
export function referenceOf({ metadata }: KubeObject): Ownership["reference"] | undefined {
  const { labels = {}, annotations = {} } = metadata;
  const of = (key: string) => annotations[key] ?? labels[key];
  const name = of(referenceName);
  if (name === undefined) return undefined;
  const tier = tierOf(annotations[referenceTier]);
  return {
    kind: of(referenceKind) ?? "",
    namespace: of(referenceNamespace) ?? "",
    name,
    tier: tier === Infinity ? defaultTier : tier,
  };
}

/** The tier of profiles and references without one. */
const defaultTier = 100;

function labelsFor({ feature, reference }: Ownership): Readonly<Record<string, string>> {
  return {
    [reasonLabel]: feature,
    [referenceKind]: reference.kind,
    [referenceName]: labelValue(reference.name),
    [referenceNamespace]: reference.namespace,
  };
}

function annotationsFor({ reference, owner, cluster }: Ownership): Readonly<Record<string, string>> {
  return {
    [referenceKind]: reference.kind,
    [referenceName]: reference.name,
    [referenceNamespace]: reference.namespace,
    [referenceTier]: String(reference.tier),
    [ownerKind]: owner.kind,
    [ownerName]: owner.name,
    // Without the namespace, Profiles of two tenants with the same name would be one owner.
    ...(owner.kind === "Profile" && { [ownerNamespace]: owner.namespace }),
    [ownerTier]: String(owner.tier),
    [clusterSummary]: clusterText(cluster),
    [deploymentType]: "Remote",
  };
}

function isProfile(apiVersion: string, kind: string): boolean {
  return apiVersion.startsWith("config.projectsveltos.io/") && isProfileKind(kind);
}

function isProfileKind(kind: string | undefined): kind is ProfileKind {
  return kind === "ClusterProfile" || kind === "Profile";
}

function tierOf(text: string | undefined): number {
  const tier = Number(text ?? "");
  return Number.isInteger(tier) && tier > 0 ? tier : Infinity;
}

function without(map: Readonly<Record<string, string>>, keys: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));
}
