import type { ProfilePatch, ProfileSpec } from "../api/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { keyOf, refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { LocatedManifest } from "../../lang/yaml/index.ts";
import type { SourcedManifest } from "./read-content.ts";
import { kindScopes, servedScopes } from "./kind-scopes.ts";
import type { OwnedTasks } from "./owned-tasks.ts";
import { patchObjects } from "./patch/patch-task.ts";
import type { TierConflict } from "./tier-conflict.ts";

/** A manifest as it is deployed, patched and with its namespace, before the ownership labels are added. */
export type ProfileManifest = SourcedManifest & {
  readonly object: KubeObject;
  readonly ref: ObjectRef;
  /** The cluster serves its kind, or will with a CRD of the same content. */
  readonly served: boolean;
};

/** The namespace of namespaced manifests that name none. */
export const contentNamespace = "default";

/** Patches the manifests and sets their namespaces, as far as the scope of their kinds is known. A patch can delete a manifest. */
export async function resolveProfileManifests(
  sourcedManifests: readonly SourcedManifest[],
  patches: readonly ProfilePatch[],
  cluster: Cluster,
  options: { readonly signal: AbortSignal; readonly tasks: OwnedTasks | undefined },
): Promise<readonly ProfileManifest[]> {
  const profileManifests: ProfileManifest[] = [];
  const objects = sourcedManifests.map(({ manifest }) => manifest.object);
  const scopeOf = kindScopes(objects, servedScopes(cluster));
  const patched = await patchObjects(objects, patches, cluster, options);
  for (const [index, sourced] of sourcedManifests.entries()) {
    const changed = patched[index];
    if (changed === undefined) continue;
    const scope = await scopeOf(refOf(changed));
    const namespaced = scope ?? (changed.metadata.namespace ?? "") !== "";
    const object = inNamespace(changed, namespaced ? changed.metadata.namespace || contentNamespace : "");
    const manifest: LocatedManifest = { ...sourced.manifest, object };
    profileManifests.push({ ...sourced, manifest, object, ref: refOf(object), served: scope !== undefined });
  }
  return profileManifests;
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
export function resolveReferenceConflicts(
  profileManifests: readonly ProfileManifest[],
  { continueOnConflict }: Pick<ProfileSpec, "continueOnConflict">,
): {
  readonly kept: readonly ProfileManifest[];
  readonly conflicts: readonly TierConflict[];
} {
  const winners = new Map<string, ProfileManifest>();
  for (const manifest of profileManifests) {
    const other = winners.get(keyOf(manifest.ref));
    if (other === undefined || manifest.reference.tier < other.reference.tier) winners.set(keyOf(manifest.ref), manifest);
  }
  const winnerOf = ({ ref }: ProfileManifest) => winners.get(keyOf(ref))!;
  const conflicts = profileManifests
    .filter((manifest) => manifest.reference.tier === winnerOf(manifest).reference.tier && !isSame(manifest, winnerOf(manifest)))
    .map((manifest) => ({
      ref: manifest.ref,
      manifest,
      message: referenceConflictText(winnerOf(manifest), manifest, continueOnConflict),
    }));
  // An object twice in one reference is an error that `order` reports.
  return { kept: profileManifests.filter((manifest) => isSame(manifest, winnerOf(manifest))), conflicts };
}

/** Sveltos says of the object that it is deployed because of the first reference. Here nothing is deployed when there are conflicts. */
function referenceConflictText({ ref, reference }: ProfileManifest, other: ProfileManifest, continueOnConflict: boolean): string {
  const [first, second] = [reference, other.reference].map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`);
  const effect = continueOnConflict ? `It is deployed from ${first}.` : "The profile deploys nothing until then.";
  return `Object ${ref.kind}:${ref.namespace}/${ref.name} is in two references of this profile, ${first} and ${second}, both of tier ${reference.tier}: take it out of one of them, or give one a lower tier. ${effect}\n`;
}

function isSame({ reference: a }: ProfileManifest, { reference: b }: ProfileManifest): boolean {
  return a.kind === b.kind && a.namespace === b.namespace && a.name === b.name;
}
