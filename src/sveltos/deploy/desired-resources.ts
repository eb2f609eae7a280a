import { withOwnership, valueHash, type Ownership } from "../api/index.ts";
import { isForbidden, type Cluster } from "../../kube/index.ts";
import { groupVersionOf, type KubeObject, type OwnerReference } from "../../core/object/index.ts";
import type { LocatedManifest } from "../../lang/yaml/index.ts";
import { readContent, type ContentRendering } from "./read-content.ts";
import { renderedPatches } from "./patch/prepare-patches.ts";
import { resolveReferenceConflicts, resolveProfileManifests, type ProfileManifest } from "./profile-manifest.ts";
import { hashOfContent, isHook } from "./release-record.ts";
import type { AddonContext, ClusterSummaryScope } from "./addon-request.ts";
import { referenceReaderOf } from "./reference-gate.ts";
import { readProfileTemplateData } from "./read-profile-template-data.ts";
import { ContentRenderer } from "./content-task.ts";
import { ownedTasksOf } from "./owned-tasks.ts";
import type { ProfileTemplateData } from "./profile-template.ts";
import type { TierConflict } from "./tier-conflict.ts";

/** The content of policyRefs for one cluster. */
export type DesiredResources = {
  readonly manifests: readonly ProfileManifest[];
  /** Conflicts between references of this profile. */
  readonly conflicts: readonly TierConflict[];
  /** The hash of the objects. A change of it is an upgrade. */
  readonly contentHash: string;
  /** The hash of all inputs. While it is unchanged and the feature is Provisioned, there is nothing to do. */
  readonly hash: string;
};

type Options = { readonly signal: AbortSignal };

/** Reads what the templates of a profile are rendered with. */
export async function readContentRendering(scope: ClusterSummaryScope, context: AddonContext, options: Options): Promise<ContentRendering> {
  const { summary, cluster } = scope;
  const tasks = ownedTasksOf(scope, context, options.signal);
  const rendererOf = (data: ProfileTemplateData) => new ContentRenderer(data, { environment: context.environment, tasks });
  const data = await readProfileTemplateData(
    cluster,
    summary.profile.templateResourceRefs,
    referenceReaderOf(scope, context),
    rendererOf,
    options,
  );
  return { renderer: rendererOf(data) };
}

/** Reads the content of policyRefs, rendered, patched and with namespaces. Writes nothing. */
export async function readDesiredResources(
  scope: ClusterSummaryScope,
  rendering: ContentRendering,
  context: AddonContext,
  options: Options,
): Promise<DesiredResources> {
  const { profile } = scope.summary;
  const sourcedManifests = await readContent(scope, rendering, referenceReaderOf(scope, context), options);
  const profileManifests = await resolveProfileManifests(
    sourcedManifests,
    await renderedPatches(profile.patches, rendering.renderer),
    context.cluster,
    { ...options, tasks: ownedTasksOf(scope, context, options.signal) },
  );
  const { kept, conflicts } = resolveReferenceConflicts(profileManifests, profile);
  const contentHash = hashOfContent(kept);
  const { tier, continueOnConflict, validateHealths } = profile;
  const references = kept.map(({ reference }) => reference);
  const checks = validateHealths.filter(({ featureID }) => featureID === "Resources");
  return { manifests: kept, conflicts, contentHash, hash: valueHash({ contentHash, references, tier, continueOnConflict, checks }) };
}

/** The manifest with ownership labels and annotations, and an ownerReference where the profile is in the same cluster. */
export function ownedManifest(
  profileManifest: ProfileManifest,
  { owner, cluster }: ClusterSummaryScope,
  local: OwnerReference | undefined,
): LocatedManifest {
  const ownership: Ownership = {
    feature: "Resources",
    reference: profileManifest.reference,
    owner,
    cluster: { type: cluster.type, namespace: cluster.namespace, name: cluster.name },
  };
  // A hook has no owner, as with Helm: it may outlive its profile, and must not conflict with other profiles then.
  if (isHook(profileManifest.object)) return profileManifest.manifest;
  const object = withOwnership(profileManifest.object, ownership);
  // A namespaced owner can own objects of its namespace only.
  const ownable = local !== undefined && (owner.kind === "ClusterProfile" || profileManifest.ref.namespace === owner.namespace);
  return { ...profileManifest.manifest, object: ownable ? withOwner(object, local) : object };
}

function withOwner(object: KubeObject, owner: OwnerReference): KubeObject {
  const others = object.metadata.ownerReferences ?? [];
  return { ...object, metadata: { ...object.metadata, ownerReferences: [...others, owner] } };
}

/**
 * Clusters that once did not serve profiles. They are not asked again: the profile was read before, so it is in another
 * cluster, whatever they serve later.
 */
const clustersWithoutProfiles = new WeakSet<Cluster>();

/**
 * The ownerReference to the profile, when it is in the same cluster. In another cluster the reference would name a missing
 * owner, and the garbage collector would delete the objects.
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
  const found = await cluster.find({ ...gvk, namespace, name }, { signal }).catch((error: unknown) => {
    // A tenant may have no right to read profiles. Without an owner its objects are withdrawn like those elsewhere.
    if (isForbidden(error)) return undefined;
    throw error;
  });
  return found?.metadata.uid === uid ? { apiVersion, kind, name, uid } : undefined;
}
