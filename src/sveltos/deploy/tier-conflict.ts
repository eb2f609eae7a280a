import { owningProfileOf, referenceOf, type Ownership } from "../api/index.ts";
import type { KubeObject, ObjectRef } from "../../core/object/index.ts";
import type { ProfileManifest } from "./profile-manifest.ts";

/** An object that a profile wants and does not get. */
export type TierConflict = { readonly ref: ObjectRef; readonly manifest: ProfileManifest; readonly message: string };

/** Names a profile. */
export type ProfileRef = Pick<Ownership["owner"], "kind" | "namespace" | "name">;

/** Tells whether a live object belongs to this profile. */
export function isOwnedBy(live: KubeObject, owner: ProfileRef): boolean {
  const found = owningProfileOf(live);
  if (found === undefined || found.kind !== owner.kind || found.name !== owner.name) return false;
  // Older generations do not say the namespace of a Profile.
  return owner.kind === "ClusterProfile" || found.namespace === "" || found.namespace === owner.namespace;
}

/**
 * Why a profile does not get an object that is there; undefined when it does. What nobody owns is adopted. What another
 * profile owns is taken over only by a lower tier; of equals the one that has it keeps it.
 */
export function objectionByTier(live: KubeObject, owner: Ownership["owner"]): string | undefined {
  const found = owningProfileOf(live);
  if (found === undefined || isOwnedBy(live, owner) || owner.tier < found.tier) return undefined;
  const { name, namespace } = live.metadata;
  return conflictText({ kind: live.kind, namespace: namespace ?? "", name }, referenceOf(live), found);
}

/** The profile that loses a live object when this one gets it; undefined when nobody does. */
export function displacedBy(live: KubeObject, owner: ProfileRef): ProfileRef | undefined {
  const found = owningProfileOf(live);
  return found === undefined || isOwnedBy(live, owner) ? undefined : { kind: found.kind, namespace: found.namespace, name: found.name };
}

/** In the words of Sveltos 0.51. */
export function conflictText(
  { kind, namespace, name }: Pick<ObjectRef, "kind" | "namespace" | "name">,
  reference: { readonly kind: string; readonly namespace: string; readonly name: string } | undefined,
  owner: { readonly kind: string; readonly name: string } | undefined,
): string {
  const because = reference === undefined ? "" : ` because of ${reference.kind} ${reference.namespace}/${reference.name}`;
  const by = owner === undefined ? "" : ` Sveltos instance currently deploying this resource: ${owner.kind} ${owner.name};\n`;
  return `Object ${kind}:${namespace}/${name} currently deployed${because}.\n${by}`;
}
