import type { Cluster } from "../../kube/index.ts";
import { keyOf, refOf, stringAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { LocatedManifest } from "../../lang/yaml/index.ts";
import type { SourcedManifest } from "./read-content.ts";
import { applyPatches, type PreparedPatch } from "./apply-patches.ts";
import { conflictText, type TierConflict } from "./tier-conflict.ts";

/** A piece as it is to be deployed, before it gets our marks: patched, and in its namespace. */
export type ProfileManifest = SourcedManifest & {
  readonly object: KubeObject;
  readonly ref: ObjectRef;
  /** The cluster serves its kind, or comes to with what is deployed. */
  readonly served: boolean;
};

/** Where objects go that have a namespace and name none. */
export const contentNamespace = "default";

/** Patches the pieces and puts each where it belongs, as far as the cluster knows its kind by now. */
export async function resolveProfileManifests(
  pieces: readonly SourcedManifest[],
  patches: readonly PreparedPatch[],
  cluster: Cluster,
  options: { readonly signal: AbortSignal },
): Promise<readonly ProfileManifest[]> {
  const profileManifests: ProfileManifest[] = [];
  const brought = new Map(pieces.flatMap(({ manifest }) => scopeOfCrd(manifest.object)));
  for (const piece of pieces) {
    const changed = await applyPatches(piece.manifest.object, patches, cluster, options);
    const resource = await cluster.discovery.find(refOf(changed));
    const namespaced = resource?.namespaced ?? brought.get(kindKey(refOf(changed))) ?? (changed.metadata.namespace ?? "") !== "";
    const object = inNamespace(changed, namespaced ? changed.metadata.namespace || contentNamespace : "");
    const manifest: LocatedManifest = { ...piece.manifest, object };
    const served = resource !== undefined || brought.has(kindKey(refOf(changed)));
    profileManifests.push({ ...piece, manifest, object, ref: refOf(object), served });
  }
  return profileManifests;
}

/** Where the kind of a definition lives, before the cluster serves it: what is written must not depend on when it is read. */
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
 * Of two references of a profile that have the same object, the lower tier has it. Where the tiers are equal the first
 * one has it, and the other is a conflict.
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
  // Twice in one reference is a mistake of whoever wrote it, which `order` tells of.
  return { kept: profileManifests.filter((piece) => isSame(piece, winners.get(keyOf(piece.ref))!)), conflicts };
}

function isSame({ reference: a }: ProfileManifest, { reference: b }: ProfileManifest): boolean {
  return a.kind === b.kind && a.namespace === b.namespace && a.name === b.name;
}
