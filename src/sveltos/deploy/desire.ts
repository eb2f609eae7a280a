import { owned, valueHash, type Ownership } from "../api/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { groupVersionOf, type KubeObject, type OwnerReference } from "../../core/object/index.ts";
import type { Manifest } from "../../lang/yaml/index.ts";
import { readContent, type Making } from "./content.ts";
import { preparePatches } from "./patch.ts";
import { amongReferences, place, type Placed } from "./place.ts";
import { hashOfContent, isHook } from "./record.ts";
import type { AddonSite, Assignment, ReadReference } from "./request.ts";
import { readTemplateWorld } from "./template-world.ts";
import { DeployTemplates } from "./templates.ts";
import type { Conflict } from "./tier.ts";

/** What a profile wants of policyRefs in a cluster. */
export type Desire = {
  readonly placed: readonly Placed[];
  /** What references of one profile dispute among each other. */
  readonly conflicts: readonly Conflict[];
  /** Of the objects as they are written: when it changes, that is an upgrade. */
  readonly contentHash: string;
  /** Of all that is to be: while it is the same and the feature is Provisioned, there is nothing to do. */
  readonly hash: string;
};

type Options = { readonly signal: AbortSignal };

/** What the texts of a profile are rendered with. */
export async function makingFor({ summary, cluster }: Assignment, site: AddonSite, options: Options): Promise<Making> {
  const { surroundings } = site;
  const world = await readTemplateWorld(cluster, summary.profile.templateResourceRefs, readerOf(site), surroundings, options);
  return { world, templates: new DeployTemplates(world, surroundings) };
}

/** Reads what is to be deployed of policyRefs: rendered, patched and placed. Nothing is touched. */
export async function readDesire(assignment: Assignment, making: Making, site: AddonSite, options: Options): Promise<Desire> {
  const { profile } = assignment.summary;
  const pieces = await readContent(assignment, making, readerOf(site), options);
  const placed = await place(pieces, preparePatches(profile.patches, making.templates), site.cluster, options);
  const { kept, conflicts } = amongReferences(placed);
  const contentHash = hashOfContent(kept);
  const { tier, continueOnConflict, validateHealths } = profile;
  const references = kept.map(({ reference }) => reference);
  const checks = validateHealths.filter(({ featureID }) => featureID === "Resources");
  return { placed: kept, conflicts, contentHash, hash: valueHash({ contentHash, references, tier, continueOnConflict, checks }) };
}

/** How the references of a profile are read. */
export function readerOf({ hub, readReference }: AddonSite): ReadReference {
  return readReference ?? ((ref, options) => hub.find(ref, options));
}

/** The manifest of a piece with the marks that say whose it is. */
export function markedManifest(piece: Placed, { owner, cluster }: Assignment, local: OwnerReference | undefined): Manifest {
  const ownership: Ownership = {
    feature: "Resources",
    reference: piece.reference,
    owner,
    cluster: { type: cluster.type, namespace: cluster.namespace, name: cluster.name },
  };
  // A hook is nobody's, as with Helm: it may stay when its profile goes, and must then stand in nobody's way.
  if (isHook(piece.object)) return piece.manifest;
  const object = owned(piece.object, ownership);
  // An owner with a namespace can own nothing outside of it.
  const ownable = local !== undefined && (owner.kind === "ClusterProfile" || piece.ref.namespace === owner.namespace);
  return { ...piece.manifest, object: ownable ? withOwner(object, local) : object };
}

function withOwner(object: KubeObject, owner: OwnerReference): KubeObject {
  const others = object.metadata.ownerReferences ?? [];
  return { ...object, metadata: { ...object.metadata, ownerReferences: [...others, owner] } };
}

/**
 * Clusters that once did not serve profiles. Ours was read by then, so it lives elsewhere, whatever they serve later; and
 * nobody has to ask again.
 */
const strangers = new WeakSet<Cluster>();

/**
 * The profile as an owner of objects, where it lives in the same cluster as they do. Elsewhere such a reference would name
 * what is not there, and a garbage collector that knows the kind would delete the objects for it.
 */
export async function localOwner({ owner }: Assignment, cluster: Cluster, { signal }: Options): Promise<OwnerReference | undefined> {
  const apiVersion = "config.projectsveltos.io/v1beta1";
  const { kind, namespace, name, uid } = owner;
  const gvk = { ...groupVersionOf(apiVersion), kind };
  if (strangers.has(cluster)) return undefined;
  if ((await cluster.discovery.find(gvk)) === undefined) {
    strangers.add(cluster);
    return undefined;
  }
  const found = await cluster.find({ ...gvk, namespace, name }, { signal });
  return found?.metadata.uid === uid ? { apiVersion, kind, name, uid } : undefined;
}
