import { sveltosNamespace, type ProfileSpec } from "../api/index.ts";
import { equal, keyOf, refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { eventKey, isOriginLabel } from "./origin.ts";
import { readProfileSpec } from "./read-profile-spec.ts";

/** One thing to do. An update is the whole object, with the resourceVersion of the one that it replaces. */
export type DesiredChange =
  | { readonly verb: "create"; readonly object: KubeObject }
  | { readonly verb: "update"; readonly object: KubeObject }
  | { readonly verb: "delete"; readonly ref: ObjectRef; readonly uid?: string };

export type GeneratedDiff = {
  /** In an order in which nothing refers to what is not there. */
  readonly changes: readonly DesiredChange[];
  /** What goes once the profiles that use it are gone or changed. */
  readonly waiting: readonly ObjectRef[];
};

/** What takes the existing objects to the desired ones. `stays` tells of those that may not go, though nothing desires them. */
export function diffGenerated(
  desired: readonly KubeObject[],
  existing: readonly KubeObject[],
  stays: (object: KubeObject) => boolean = () => false,
): GeneratedDiff {
  const there = new Map(existing.map((object) => [keyOf(refOf(object)), object]));
  const wanted = new Set(desired.map((object) => keyOf(refOf(object))));
  const stale = existing.filter((object) => !wanted.has(keyOf(refOf(object))) && !stays(object));
  const staleProfiles = stale.filter(isProfile);
  const staleContents = stale.filter((object) => !isProfile(object) && !isTerminating(object));
  const isUsed = usageOf(existing, staleProfiles);
  return {
    changes: [
      ...[...desired.filter((object) => !isProfile(object)), ...desired.filter(isProfile)].flatMap((object) =>
        changeTo(object, there.get(keyOf(refOf(object)))),
      ),
      ...staleProfiles.filter((object) => !isTerminating(object)).map(deleteChangeOf),
      ...staleContents.filter((object) => !isUsed(object)).map(deleteChangeOf),
    ],
    waiting: staleContents.filter(isUsed).map(refOf),
  };
}

/** By what is desired, the live object that was found to be it: neither is ever changed, so it need not be compared again. */
const settled = new WeakMap<KubeObject, KubeObject>();

function changeTo(desired: KubeObject, live: KubeObject | undefined): readonly DesiredChange[] {
  if (live === undefined) return [{ verb: "create", object: desired }];
  if (settled.get(desired) === live) return [];
  const object = merged(desired, live);
  if (!isSame(object, desired, live)) return [{ verb: "update", object }];
  settled.set(desired, live);
  return [];
}

/** The desired object over the live one: labels and annotations of others stay, ours are exactly the desired ones. */
function merged(desired: KubeObject, live: KubeObject): KubeObject {
  const { managedFields: _fields, labels, annotations, ...metadata } = live.metadata;
  return {
    ...live,
    ...desired,
    metadata: {
      ...metadata,
      labels: { ...without(labels, isOriginLabel), ...desired.metadata.labels },
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
 * Tells what is still in use: a profile that goes needs all that was made with it until it is gone, and one that stays
 * what it refers to now.
 */
function usageOf(existing: readonly KubeObject[], going: readonly KubeObject[]): (content: KubeObject) => boolean {
  const origins = new Set(going.map(({ metadata }) => eventKey(metadata.labels)));
  const referred = new Set(existing.filter(isProfile).flatMap(contentsOf));
  return ({ kind, metadata }) => origins.has(eventKey(metadata.labels)) || referred.has(`${kind} ${metadata.name}`);
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

/** Deletes this object and no other of its name that came after it. */
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
