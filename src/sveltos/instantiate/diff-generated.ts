import { isTenantLabel } from "../tenant/index.ts";
import { sveltosNamespace, type ProfileSpec } from "../api/index.ts";
import { equal, keyOf, refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { eventKey, isOriginLabel } from "./generated-labels.ts";
import { readProfileSpec } from "./read-profile-spec.ts";

/** One write. An update is the whole object, with the resourceVersion of the live one. */
export type DesiredChange =
  | { readonly verb: "create"; readonly object: KubeObject }
  | { readonly verb: "update"; readonly object: KubeObject }
  | { readonly verb: "delete"; readonly ref: ObjectRef; readonly uid?: string };

type GeneratedDiff = {
  /** In an order in which every reference exists: contents before profiles, deletions last. */
  readonly changes: readonly DesiredChange[];
  /** Objects to prune once no profile uses them. */
  readonly waiting: readonly ObjectRef[];
};

/** The changes from the existing objects to the desired ones. Objects for which `isRetained` is true are not pruned. */
export function diffGenerated(
  desired: readonly KubeObject[],
  existing: readonly KubeObject[],
  isRetained: (object: KubeObject) => boolean = () => false,
): GeneratedDiff {
  const live = new Map(existing.map((object) => [keyOf(refOf(object)), object]));
  const desiredKeys = new Set(desired.map((object) => keyOf(refOf(object))));
  const stale = existing.filter((object) => !desiredKeys.has(keyOf(refOf(object))) && !isRetained(object));
  const staleProfiles = stale.filter(isProfile);
  const staleContents = stale.filter((object) => !isProfile(object) && !isTerminating(object));
  const isUsed = usageOf(existing, staleProfiles);
  return {
    changes: [
      ...[...desired.filter((object) => !isProfile(object)), ...desired.filter(isProfile)].flatMap((object) =>
        changeTo(object, live.get(keyOf(refOf(object)))),
      ),
      ...staleProfiles.filter((object) => !isTerminating(object)).map(deleteChangeOf),
      ...staleContents.filter((object) => !isUsed(object)).map(deleteChangeOf),
    ],
    waiting: staleContents.filter(isUsed).map(refOf),
  };
}

/** The live object that was found equal to a desired one. Objects are never mutated, so they need not be compared again. */
const knownEqual = new WeakMap<KubeObject, KubeObject>();

function changeTo(desired: KubeObject, live: KubeObject | undefined): readonly DesiredChange[] {
  if (live === undefined) return [{ verb: "create", object: desired }];
  if (knownEqual.get(desired) === live) return [];
  const object = merged(desired, live);
  if (!isSame(object, desired, live)) return [{ verb: "update", object }];
  knownEqual.set(desired, live);
  return [];
}

/** The desired object over the live one. Labels and annotations of others stay; those of Sluice are replaced. */
function merged(desired: KubeObject, live: KubeObject): KubeObject {
  const { managedFields: _fields, labels, annotations, ...metadata } = live.metadata;
  return {
    ...live,
    ...desired,
    metadata: {
      ...metadata,
      labels: { ...without(labels, (key) => isOriginLabel(key) || isTenantLabel(key)), ...desired.metadata.labels },
      annotations: { ...without(annotations, isOwnAnnotation), ...desired.metadata.annotations },
    },
  };
}

function isSame({ metadata }: KubeObject, desired: KubeObject, live: KubeObject): boolean {
  const { labels = {}, annotations = {} } = live.metadata;
  if (!equal(metadata.labels, labels) || !equal(metadata.annotations, annotations)) return false;
  if (!isProfile(desired)) return equal(desired["data"], live["data"] ?? {}) && desired["type"] === live["type"];
  return specOf(desired) !== undefined && equal(specOf(desired), specOf(live));
}

function specOf(profile: KubeObject): ProfileSpec | undefined {
  const reading = readProfileSpec(profile);
  return reading.state === "read" ? reading.value : undefined;
}

function isOwnAnnotation(key: string): boolean {
  return key.startsWith("projectsveltos.io/");
}

function without(entries: Readonly<Record<string, string>> = {}, isLeftOut: (key: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => !isLeftOut(key)));
}

/**
 * Whether a ConfigMap or Secret is still in use: a profile that is pruned needs all contents of its event until it is gone,
 * and one that stays needs the contents that its live spec references.
 */
function usageOf(existing: readonly KubeObject[], pruned: readonly KubeObject[]): (content: KubeObject) => boolean {
  const origins = new Set(pruned.map(({ metadata }) => eventKey(metadata.labels)));
  const referenced = new Set(existing.filter(isProfile).flatMap(contentsOf));
  return ({ kind, metadata }) => origins.has(eventKey(metadata.labels)) || referenced.has(`${kind} ${metadata.name}`);
}

function contentsOf(profile: KubeObject): readonly string[] {
  const spec = specOf(profile);
  if (spec === undefined) return [];
  const refs = [
    ...spec.policyRefs,
    ...spec.helmCharts.flatMap(({ valuesFrom }) => valuesFrom),
    ...spec.templateResourceRefs.map(({ resource }) => resource),
  ];
  return refs.flatMap(({ kind, namespace, name }) => (namespace === sveltosNamespace ? [`${kind} ${name}`] : []));
}

/** Deletes an object by UID, so that a later object of the same name stays. */
export function deleteChangeOf(object: KubeObject): DesiredChange {
  const { uid } = object.metadata;
  return { verb: "delete", ref: refOf(object), ...(uid !== undefined && { uid }) };
}

function isProfile({ kind }: KubeObject): boolean {
  return kind === "ClusterProfile";
}

function isTerminating({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}
