import { owningProfileOf, type Ownership } from "../api/index.ts";
import type { KubeObject, ObjectRef } from "../../core/object/index.ts";
import type { ProfileManifest } from "./profile-manifest.ts";

/** A manifest that is not applied because another profile or reference has the object. */
export type TierConflict = { readonly ref: ObjectRef; readonly manifest: ProfileManifest; readonly message: string };

/** Names a profile. */
export type ProfileRef = Pick<Ownership["owner"], "kind" | "namespace" | "name">;

export function isSameProfile(one: ProfileRef | undefined, other: ProfileRef): boolean {
  return one?.kind === other.kind && one.namespace === other.namespace && one.name === other.name;
}

/** Whether a live object belongs to this profile. */
export function isOwnedBy(live: KubeObject, owner: ProfileRef): boolean {
  const found = owningProfileOf(live);
  if (found === undefined || found.kind !== owner.kind || found.name !== owner.name) return false;
  // Objects of older versions have no namespace of the Profile.
  return owner.kind === "ClusterProfile" || found.namespace === "" || found.namespace === owner.namespace;
}

/** The profile that loses a live object to this one; undefined when there is none. */
export function displacedBy(live: KubeObject, owner: ProfileRef): ProfileRef | undefined {
  const found = owningProfileOf(live);
  return found === undefined || isOwnedBy(live, owner) ? undefined : { kind: found.kind, namespace: found.namespace, name: found.name };
}

/** The message of Sveltos 0.51. */
export function conflictText(
  { kind, namespace, name }: Pick<ObjectRef, "kind" | "namespace" | "name">,
  reference: { readonly kind: string; readonly namespace: string; readonly name: string } | undefined,
  owner: { readonly kind: string; readonly name: string } | undefined,
): string {
  const because = reference === undefined ? "" : ` because of ${reference.kind} ${reference.namespace}/${reference.name}`;
  const by = owner === undefined ? "" : ` Sveltos instance currently deploying this resource: ${owner.kind} ${owner.name};\n`;
  return `Object ${kind}:${namespace}/${name} currently deployed${because}.\n${by}`;
}
