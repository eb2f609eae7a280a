import type { Cluster } from "../../kube/index.ts";
import { keyOf, refOf, stringAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { Manifest } from "../../lang/yaml/index.ts";
import type { Piece } from "./content.ts";
import { patched, type PreparedPatch } from "./patch.ts";
import { conflictText, type Conflict } from "./tier.ts";

/** A piece as it is to be deployed, before it gets our marks: patched, and in its namespace. */
export type Placed = Piece & {
  readonly object: KubeObject;
  readonly ref: ObjectRef;
  /** The cluster serves its kind, or comes to with what is deployed. */
  readonly served: boolean;
};

/** Where objects go that have a namespace and name none. */
export const home = "default";

/** Patches the pieces and puts each where it belongs, as far as the cluster knows its kind by now. */
export async function place(
  pieces: readonly Piece[],
  patches: readonly PreparedPatch[],
  cluster: Cluster,
  options: { readonly signal: AbortSignal },
): Promise<readonly Placed[]> {
  const placed: Placed[] = [];
  const brought = new Map(pieces.flatMap(({ manifest }) => scopeBroughtBy(manifest.object)));
  for (const piece of pieces) {
    const changed = await patched(piece.manifest.object, patches, cluster, options);
    const resource = await cluster.discovery.find(refOf(changed));
    const namespaced = resource?.namespaced ?? brought.get(kindKey(refOf(changed))) ?? (changed.metadata.namespace ?? "") !== "";
    const object = inNamespace(changed, namespaced ? changed.metadata.namespace || home : "");
    const manifest: Manifest = { ...piece.manifest, object };
    const served = resource !== undefined || brought.has(kindKey(refOf(changed)));
    placed.push({ ...piece, manifest, object, ref: refOf(object), served });
  }
  return placed;
}

/** Where the kind of a definition lives, before the cluster serves it: what is written must not depend on when it is read. */
function scopeBroughtBy(object: KubeObject): readonly (readonly [string, boolean])[] {
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
export function amongReferences(placed: readonly Placed[]): { readonly kept: readonly Placed[]; readonly conflicts: readonly Conflict[] } {
  const winners = new Map<string, Placed>();
  const conflicts: Conflict[] = [];
  for (const piece of placed) {
    const key = keyOf(piece.ref);
    const other = winners.get(key);
    if (other === undefined || piece.reference.tier < other.reference.tier) winners.set(key, piece);
    else if (piece.reference.tier === other.reference.tier && !isSame(piece, other))
      conflicts.push({ ref: piece.ref, piece, message: conflictText(piece.ref, other.reference, undefined) });
  }
  // Twice in one reference is a mistake of whoever wrote it, which `order` tells of.
  return { kept: placed.filter((piece) => isSame(piece, winners.get(keyOf(piece.ref))!)), conflicts };
}

function isSame({ reference: a }: Placed, { reference: b }: Placed): boolean {
  return a.kind === b.kind && a.namespace === b.namespace && a.name === b.name;
}
