import type { Cluster } from "../../kube/index.ts";
import { keyOf, refOf, stringAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { LocatedManifest } from "../../lang/yaml/index.ts";
import type { SourcedManifest } from "./read-content.ts";
import { applyPatches, type PreparedPatch } from "./apply-patches.ts";
import { conflictText, type TierConflict } from "./tier-conflict.ts";

/** A manifest as it is deployed, patched and with its namespace, before the ownership labels are added. */
export type ProfileManifest = SourcedManifest & {
  readonly object: KubeObject;
  readonly ref: ObjectRef;
  /** The cluster serves its kind, or will with a CRD of the same content. */
  readonly served: boolean;
};

/** The namespace of namespaced manifests that name none. */
export const contentNamespace = "default";

/** Patches the manifests and sets their namespaces, as far as the scope of their kinds is known. */
export async function resolveProfileManifests(
  sourcedManifests: readonly SourcedManifest[],
  patches: readonly PreparedPatch[],
  cluster: Cluster,
  options: { readonly signal: AbortSignal },
): Promise<readonly ProfileManifest[]> {
  const profileManifests: ProfileManifest[] = [];
  const scopes = new Map(sourcedManifests.flatMap(({ manifest }) => scopeOfCrd(manifest.object)));
  for (const sourced of sourcedManifests) {
    const changed = await applyPatches(sourced.manifest.object, patches, cluster, options);
    const resource = await cluster.discovery.find(refOf(changed));
    const namespaced = resource?.namespaced ?? scopes.get(kindKey(refOf(changed))) ?? (changed.metadata.namespace ?? "") !== "";
    const object = inNamespace(changed, namespaced ? changed.metadata.namespace || contentNamespace : "");
    const manifest: LocatedManifest = { ...sourced.manifest, object };
    const served = resource !== undefined || scopes.has(kindKey(refOf(changed)));
    profileManifests.push({ ...sourced, manifest, object, ref: refOf(object), served });
  }
  return profileManifests;
}

/** The scope of the kind in a CRD manifest: the result must not depend on whether the cluster serves it already. */
function scopeOfCrd(object: KubeObject): readonly (readonly [string, boolean])[] {
  if (object.kind !== "CustomResourceDefinition") return [];
  const gvk = { group: stringAt(object, "spec.group", ""), kind: stringAt(object, "spec.names.kind", "") };
  return [[kindKey(gvk), stringAt(object, "spec.scope") === "Namespaced"]];
}

function kindKey({ group, kind }: Pick<ObjectRef, "group" | "kind">): string {
  return `${group}/${kind}`;
}

function inNamespace(object: KubeObject, namespace: string): KubeObject {
  const { namespace: written, ...metadata } = object.metadata;
  if ((written ?? "") === namespace && (written !== undefined || namespace === "")) return object;
  return { ...object, metadata: namespace === "" ? metadata : { ...metadata, namespace } };
}

/**
 * When two references of a profile have the same object, the one of the lower tier is kept. With equal tiers the first is
 * kept, and the other is a conflict.
 */
export function resolveReferenceConflicts(profileManifests: readonly ProfileManifest[]): {
  readonly kept: readonly ProfileManifest[];
  readonly conflicts: readonly TierConflict[];
} {
  const winners = new Map<string, ProfileManifest>();
  const conflicts: TierConflict[] = [];
  for (const manifest of profileManifests) {
    const key = keyOf(manifest.ref);
    const other = winners.get(key);
    if (other === undefined || manifest.reference.tier < other.reference.tier) winners.set(key, manifest);
    else if (manifest.reference.tier === other.reference.tier && !isSame(manifest, other))
      conflicts.push({ ref: manifest.ref, manifest, message: conflictText(manifest.ref, other.reference, undefined) });
  }
  // An object twice in one reference is an error that `order` reports.
  return {
    kept: profileManifests.filter((profileManifest) => isSame(profileManifest, winners.get(keyOf(profileManifest.ref))!)),
    conflicts,
  };
}

function isSame({ reference: a }: ProfileManifest, { reference: b }: ProfileManifest): boolean {
  return a.kind === b.kind && a.namespace === b.namespace && a.name === b.name;
}
