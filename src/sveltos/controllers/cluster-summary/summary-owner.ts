import {
  clusterReferredTo,
  gvkOf,
  readClusterSummary,
  readProfile,
  selectsCluster,
  selectsNamespace,
  type ClusterId,
  type ObjectReference,
  type Profile,
} from "../../api/index.ts";
import { owningProfile, summaryStatusOf } from "../../deploy/index.ts";
import { clusterIdOf, clusterKey, selectedClustersOf } from "../../fleet/index.ts";
import { tenantLabelsOf } from "../../tenant/index.ts";
import { equal, fieldsAt, isDeleting, listAt, type KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { clusterKeyOf } from "./summary-key.ts";

/**
 * The profile of a ClusterSummary, or why nothing is deployed on the word of the ClusterSummary. `waits`: the profile controller
 * makes them agree, and the change of the ClusterSummary requeues it.
 */
type FoundOwner = { readonly profile: KubeObject } | Objection;
type Objection = { readonly because: string; readonly waits: boolean };

/**
 * Reads the profile of a ClusterSummary and checks that both say the same: others than the profile controller can write
 * ClusterSummaries. The cache may lag behind, so the API server is asked before one is refused.
 */
export async function readOwner(summary: KubeObject, context: ControllerContext, signal: AbortSignal): Promise<FoundOwner> {
  const owner = owningProfile(summary);
  if (owner === undefined) return refused("it names no profile in its ownerReferences: delete it");
  const { kind, namespace, name, uid } = owner;
  const cached = context.cache.find(gvkOf(kind), namespace, name);
  if (cached !== undefined && objectionTo(summary, cached, uid, context) === undefined) return { profile: cached };
  const live = await context.hub.find({ ...gvkOf(kind), namespace, name }, { signal });
  if (live === undefined) return refused(`its ${kind} ${name} does not exist`);
  return objectionTo(summary, live, uid, context) ?? { profile: live };
}

/**
 * The profile of a ClusterSummary that is withdrawn; undefined when it is gone. Where their tenants differ, the cache may lag
 * behind, and the API server is asked.
 */
export async function findOwner(
  summary: KubeObject,
  { cache, hub }: ControllerContext,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const owner = owningProfile(summary);
  if (owner === undefined) return undefined;
  const { kind, namespace, name, uid } = owner;
  const cached = cache.find(gvkOf(kind), namespace, name);
  const isCurrent = cached?.metadata.uid === uid && hasSameTenant(cached, summary);
  const found = isCurrent ? cached : await hub.find({ ...gvkOf(kind), namespace, name }, { signal });
  return found?.metadata.uid === uid ? found : undefined;
}

function refused(because: string): Objection {
  return { because: `nothing is deployed: ${because}`, waits: false };
}

function objectionTo(summary: KubeObject, profile: KubeObject, uid: string, context: ControllerContext): Objection | undefined {
  const { kind, metadata } = profile;
  const title = `its ${kind} ${metadata.name}`;
  if (metadata.uid !== uid) return refused(`${title} has the uid ${metadata.uid ?? ""}, and its ownerReference ${uid}`);
  const waiting = { because: "it is not as its profile says", waits: true };
  if (!hasSameTenant(profile, summary)) return waiting;
  const reading = readProfile(profile);
  // A profile that is refused or goes keeps what it has deployed.
  if (reading.state === "invalid" || isDeleting(profile)) return undefined;
  if (!selects(reading.value, clusterIdOf(clusterKeyOf(summary)), profile, context))
    return refused(`${title} does not select this cluster`);
  return isSpecOf(summary, profile, reading.value) ? undefined : waiting;
}

function hasSameTenant(profile: KubeObject, summary: KubeObject): boolean {
  return equal(tenantLabelsOf(profile.metadata.labels), tenantLabelsOf(summary.metadata.labels));
}

/** Whether a profile selects a cluster by itself or by its sets, or has been found to. */
function selects(profile: Profile, id: ClusterId, object: KubeObject, { fleet, cache }: ControllerContext): boolean {
  const { clusterSelector, clusterRefs, setRefs, kind } = profile;
  const key = clusterKey(id);
  const home = kind === "Profile" ? (object.metadata.namespace ?? "") : undefined;
  if (home !== undefined && id.namespace !== home) return false;
  if (!selectsNamespace(object.metadata.annotations, id.namespace)) return false;
  if (selectsCluster(clusterSelector, fleet.find(key)?.managed.labels)) return true;
  const isNamed = (ref: ObjectReference) => {
    const found = clusterReferredTo(home === undefined ? ref : { ...ref, namespace: home });
    return found !== undefined && clusterKey(found) === key;
  };
  if (clusterRefs.some(isNamed) || (listAt(object, "status.matchingClusters") as readonly ObjectReference[]).some(isNamed)) return true;
  const setKind = gvkOf(home === undefined ? "ClusterSet" : "Set");
  return setRefs.some((name) => selectedClustersOf(cache.find(setKind, home ?? "", name)).some((set) => clusterKey(set) === key));
}

/**
 * Whether the spec of a ClusterSummary is that of its profile. One that is rolled out some clusters at a time, or deployed once,
 * may have an earlier one: that which this controller has deployed, by the generation in the status. Who changes the spec alone
 * changes the generation.
 */
function isSpecOf(summary: KubeObject, object: KubeObject, { metadata: _metadata, kind: _kind, ...profile }: Profile): boolean {
  if (equal(fieldsAt(summary, "spec.clusterProfileSpec"), fieldsAt(object, "spec"))) return true;
  const mayBeEarlier = profile.maxUpdate !== undefined || profile.syncMode === "OneTime";
  if (mayBeEarlier && summaryStatusOf(summary).observedGeneration === summary.metadata.generation) return true;
  const reading = readClusterSummary(summary);
  return reading.state === "read" && equal(reading.value.profile, profile);
}
