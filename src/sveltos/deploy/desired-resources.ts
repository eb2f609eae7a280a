import { withOwnership, valueHash, type Ownership } from "../api/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { groupVersionOf, type KubeObject, type OwnerReference } from "../../core/object/index.ts";
import type { LocatedManifest } from "../../lang/yaml/index.ts";
import { readContent, type ContentRendering } from "./read-content.ts";
import { preparePatches } from "./apply-patches.ts";
import { resolveReferenceConflicts, resolveProfileManifests, type ProfileManifest } from "./profile-manifest.ts";
import { hashOfContent, isHook } from "./release-record.ts";
import type { AddonContext, ClusterSummaryScope, ReadReference } from "./addon-request.ts";
import { readProfileTemplateData } from "./read-profile-template-data.ts";
import { ProfileTemplateRenderer } from "./profile-template-renderer.ts";
import type { TierConflict } from "./tier-conflict.ts";

/** What a profile wants of policyRefs in a cluster. */
export type DesiredResources = {
  readonly manifests: readonly ProfileManifest[];
  /** What references of one profile dispute among each other. */
  readonly conflicts: readonly TierConflict[];
  /** Of the objects as they are written: when it changes, that is an upgrade. */
  readonly contentHash: string;
  /** Of all that is to be: while it is the same and the feature is Provisioned, there is nothing to do. */
  readonly hash: string;
};

type Options = { readonly signal: AbortSignal };

/** What the texts of a profile are rendered with. */
export async function readContentRendering(
  { summary, cluster }: ClusterSummaryScope,
  context: AddonContext,
  options: Options,
): Promise<ContentRendering> {
  const { environment } = context;
  const data = await readProfileTemplateData(
    cluster,
    summary.profile.templateResourceRefs,
    referenceReaderOf(context),
    environment,
    options,
  );
  return { data, renderer: new ProfileTemplateRenderer(data, environment) };
}

/** Reads what is to be deployed of policyRefs: rendered, patched and placed. Nothing is touched. */
export async function readDesiredResources(
  scope: ClusterSummaryScope,
  rendering: ContentRendering,
  context: AddonContext,
  options: Options,
): Promise<DesiredResources> {
  const { profile } = scope.summary;
  const pieces = await readContent(scope, rendering, referenceReaderOf(context), options);
  const profileManifests = await resolveProfileManifests(
    pieces,
    preparePatches(profile.patches, rendering.renderer),
    context.cluster,
    options,
  );
  const { kept, conflicts } = resolveReferenceConflicts(profileManifests);
  const contentHash = hashOfContent(kept);
  const { tier, continueOnConflict, validateHealths } = profile;
  const references = kept.map(({ reference }) => reference);
  const checks = validateHealths.filter(({ featureID }) => featureID === "Resources");
  return { manifests: kept, conflicts, contentHash, hash: valueHash({ contentHash, references, tier, continueOnConflict, checks }) };
}

/** How the references of a profile are read. */
export function referenceReaderOf({ hub, readReference }: AddonContext): ReadReference {
  return readReference ?? ((ref, options) => hub.find(ref, options));
}

/** The manifest of a piece with the marks that say whose it is. */
export function ownedManifest(
  piece: ProfileManifest,
  { owner, cluster }: ClusterSummaryScope,
  local: OwnerReference | undefined,
): LocatedManifest {
  const ownership: Ownership = {
    feature: "Resources",
    reference: piece.reference,
    owner,
    cluster: { type: cluster.type, namespace: cluster.namespace, name: cluster.name },
  };
  // A hook is nobody's, as with Helm: it may stay when its profile goes, and must then stand in nobody's way.
  if (isHook(piece.object)) return piece.manifest;
  const object = withOwnership(piece.object, ownership);
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
const clustersWithoutProfiles = new WeakSet<Cluster>();

/**
 * The profile as an owner of objects, where it lives in the same cluster as they do. Elsewhere such a reference would name
 * what is not there, and a garbage collector that knows the kind would delete the objects for it.
 */
export async function localOwner(
  { owner }: ClusterSummaryScope,
  cluster: Cluster,
  { signal }: Options,
): Promise<OwnerReference | undefined> {
  const apiVersion = "config.projectsveltos.io/v1beta1";
  const { kind, namespace, name, uid } = owner;
  const gvk = { ...groupVersionOf(apiVersion), kind };
  if (clustersWithoutProfiles.has(cluster)) return undefined;
  if ((await cluster.discovery.find(gvk)) === undefined) {
    clustersWithoutProfiles.add(cluster);
    return undefined;
  }
  const found = await cluster.find({ ...gvk, namespace, name }, { signal });
  return found?.metadata.uid === uid ? { apiVersion, kind, name, uid } : undefined;
}
