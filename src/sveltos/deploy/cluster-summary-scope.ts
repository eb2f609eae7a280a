import { failureMessageOf, readClusterSummary, type ProfileKind } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import type { AddonRequest, ClusterSummaryScope } from "./addon-request.ts";

/** Reads a ClusterSummary and its owner. Throws for an invalid or unsupported spec, with the message for its status. */
export function summaryScopeOf({ summary, cluster }: AddonRequest): ClusterSummaryScope {
  const reading = readClusterSummary(summary);
  const objection = failureMessageOf(reading);
  if (objection !== undefined) throw new Fault(objection, undefined, { final: true });
  return summaryScopeForWithdrawal({ summary, cluster });
}

/** The same for a withdrawal: unsupported parts of the spec were never deployed and are ignored. */
export function summaryScopeForWithdrawal({ summary, cluster }: AddonRequest): ClusterSummaryScope {
  const reading = readClusterSummary(summary);
  if (reading.state === "invalid") throw new Fault(failureMessageOf(reading) ?? "", undefined, { final: true });
  return { summary: reading.value, cluster, owner: { ...profileOf(summary), tier: reading.value.profile.tier } };
}

/** The profile in the ownerReferences of a ClusterSummary. */
export type OwningProfile = { readonly kind: ProfileKind; readonly namespace: string; readonly name: string; readonly uid: string };

function profileOf(summary: KubeObject): OwningProfile {
  const { namespace = "", name } = summary.metadata;
  const found = owningProfile(summary);
  if (found !== undefined) return found;
  throw new Fault(`ClusterSummary ${namespace}/${name} names no profile in its ownerReferences`, undefined, { final: true });
}

/** The profile of a ClusterSummary, by its ownerReference. */
export function owningProfile({ metadata }: KubeObject): OwningProfile | undefined {
  for (const { apiVersion, kind, name, uid } of metadata.ownerReferences ?? []) {
    if (!apiVersion.startsWith("config.projectsveltos.io/")) continue;
    if (kind === "ClusterProfile") return { kind, namespace: "", name, uid };
    if (kind === "Profile") return { kind, namespace: metadata.namespace ?? "", name, uid };
  }
  return undefined;
}
