import type { KubeObject } from "../../core/object/index.ts";
import { contentHash } from "./hash.ts";
import { labelValue } from "./label.ts";
import { typeInNames, type ClusterId, type ProfileKind } from "./name.ts";

/** The part of a profile that an object came by. */
export type FeatureId = "Resources" | "Helm" | "Kustomize";

/** Why an object is in a cluster: which profile wants it, and which ConfigMap or Secret it stands in. */
export type Ownership = {
  readonly feature: FeatureId;
  readonly reference: { readonly kind: string; readonly namespace: string; readonly name: string; readonly tier: number };
  readonly owner: { readonly kind: ProfileKind; readonly namespace: string; readonly name: string; readonly tier: number };
  readonly cluster: ClusterId;
};

const prefix = "projectsveltos.io";

/** Selects what a feature deployed, whoever owns it: `projectsveltos.io/reason`. */
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

/** What says who owns an object; LeavePolicies takes them off and leaves the hash, the tier and the reason. */
const ownershipLabels = [referenceKind, referenceName, referenceNamespace];
const ownershipAnnotations = [referenceKind, referenceName, referenceNamespace, referenceTier, ownerKind, ownerName, ownerNamespace];

/**
 * An object as it is deployed: with the labels of seed 001, the hash of what was written, and the owner annotations of
 * newer versions. `written` must be the object before anything was added to it.
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

/** An object without what says that it is ours, as LeavePolicies leaves it. ownerReferences to profiles go too. */
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

/** Who owns a live object; what it does not say is missing. */
export type ProfileOwner = {
  readonly kind: ProfileKind;
  readonly namespace: string;
  readonly name: string;
  /** Infinity where none, or none that can be read, is recorded: whoever claims the object gets it. */
  readonly tier: number;
};

/** The profile that owns a live object, by annotations or, in older generations, by ownerReference; undefined: nobody's. */
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

/** The ConfigMap or Secret a live object came from, by annotations or, in older generations, by labels. */
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

/** The tier of profiles and references that name none. */
export const defaultTier = 100;

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
    // A name alone would take two tenants' Profiles for one.
    ...(owner.kind === "Profile" && { [ownerNamespace]: owner.namespace }),
    [ownerTier]: String(owner.tier),
    [clusterSummary]: `${typeInNames(cluster.type)}-${cluster.namespace}-${cluster.name}`,
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
