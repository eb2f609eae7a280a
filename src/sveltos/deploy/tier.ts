import { ownerOf, referenceOf, type Ownership } from "../api/index.ts";
import type { KubeObject, ObjectRef } from "../../core/object/index.ts";
import type { Placed } from "./place.ts";

/** An object that a profile wants and does not get. */
export type Conflict = { readonly ref: ObjectRef; readonly piece: Placed; readonly message: string };

/** Names a profile. */
export type Profile = Pick<Ownership["owner"], "kind" | "namespace" | "name">;

/** Tells whether a live object belongs to this profile. */
export function isOwn(live: KubeObject, owner: Profile): boolean {
  const found = ownerOf(live);
  if (found === undefined || found.kind !== owner.kind || found.name !== owner.name) return false;
  // Older generations do not say the namespace of a Profile.
  return owner.kind === "ClusterProfile" || found.namespace === "" || found.namespace === owner.namespace;
}

/**
 * Why a profile does not get an object that is there; undefined when it does. What nobody owns is adopted. What another
 * profile owns is taken over only by a lower tier; of equals the one that has it keeps it.
 */
export function objectionByTier(live: KubeObject, owner: Ownership["owner"]): string | undefined {
  const found = ownerOf(live);
  if (found === undefined || isOwn(live, owner) || owner.tier < found.tier) return undefined;
  const { name, namespace } = live.metadata;
  return conflictText({ kind: live.kind, namespace: namespace ?? "", name }, referenceOf(live), found);
}

/** The profile that loses a live object when this one gets it; undefined when nobody does. */
export function displacedBy(live: KubeObject, owner: Profile): Profile | undefined {
  const found = ownerOf(live);
  return found === undefined || isOwn(live, owner) ? undefined : { kind: found.kind, namespace: found.namespace, name: found.name };
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
