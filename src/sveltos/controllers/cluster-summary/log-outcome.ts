import { owningProfile, summaryStatusOf } from "../../deploy/index.ts";
import type { ClusterSummaryStatus } from "../../api/index.ts";
import { isRefusalOf } from "../../tenant/index.ts";
import { stringAt, type KubeObject, type ObjectRef } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";
import type { CollectedResult } from "./collect-result.ts";
import { failureMessageIn } from "./record-failure.ts";
import type { NoAccess, SummaryAccess } from "./summary-access.ts";
import { clusterKeyOf } from "./summary-key.ts";

/** What was done, as the log says it. */
type Operation = "deployed" | "dry run" | "repaired drift" | "withdrawn";

/**
 * Logs what a deploy, a repair or a withdrawal has changed in a cluster, or why it is refused. A reconcile that leaves
 * everything as it is says nothing, and neither does a failure that is retried: the queue logs it. On the word of a tenant both are
 * the audit: who, what, where, and by which RoleRequests.
 */
export function logOutcome(
  operation: Operation,
  before: KubeObject,
  { outcome, changes }: CollectedResult,
  startedAt: number,
  { telemetry, hub }: ControllerContext,
  access: SummaryAccess = { by: "platform" },
): void {
  const failure = failureMessageIn(outcome);
  const previous = summaryStatusOf(before);
  // A profile may go before all of it was deployed: what is withdrawn is what was deleted.
  const isLeft = stringAt(before, "spec.clusterProfileSpec.stopMatchingBehavior") === "LeavePolicies";
  const isGone = operation === "withdrawn" && failure === undefined && !isLeft;
  const objects = isGone ? changes.deletedObjects : objectsIn(operation === "withdrawn" ? previous : outcome.status);
  const subject = {
    ...subjectOf(outcome.summary),
    ...auditOf(access, objects),
    seconds: (hub.clock.now() - startedAt) / 1000,
  };
  if (failure !== undefined) {
    const isNews = outcome.final || access.by === "tenant";
    if (!isNews || failure === failureMessageIn({ settled: false, status: previous })) return;
    const fields = { ...subject, error: failure };
    if (access.by === "tenant" && isRefusalOf(access.tenant, failure)) telemetry.log("warn", "denied", fields);
    else telemetry.log("info", outcome.final ? "refused" : "failed", fields);
    return;
  }
  const { releases, planned, deletedObjects: _objects, ...counts } = changes;
  if (!planned && featureStates(previous) === featureStates(outcome.status)) return;
  const revision = outcome.status.releases?.find(({ featureID }) => featureID === "Resources")?.revision;
  const changed = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  if (operation === "repaired drift") recordDrift(outcome.summary, Object.values(counts), telemetry);
  telemetry.log("info", operation, {
    ...subject,
    ...changed,
    ...(revision === undefined ? {} : { revision }),
    ...(releases.size === 0 ? {} : { releases: [...releases] }),
  });
}

/** Whoever looks at a fleet learns of drift, which is over as soon as it is seen. */
function recordDrift(summary: KubeObject, counts: readonly number[], telemetry: ControllerContext["telemetry"]): void {
  const count = counts.reduce((sum, each) => sum + each, 0);
  const message = `${count === 1 ? "1 object was" : `${count} objects were`} not as the profile wants, and put right`;
  if (count > 0) telemetry.recordEvent(summary, { type: "Normal", reason: "DriftRepaired", message });
}

/** Logs that nothing is done for a ClusterSummary, on whose word it may be, and what it has deployed before. */
export function logDenied(summary: KubeObject, { because, tenant, grants = [] }: NoAccess, { telemetry }: ControllerContext): void {
  const audit = tenant === undefined ? {} : auditOf({ by: "tenant", tenant, grants }, objectsIn(summaryStatusOf(summary)));
  telemetry.log("warn", "denied", { ...subjectOf(summary), ...audit, error: because });
}

function subjectOf(summary: KubeObject): Readonly<Record<string, unknown>> {
  const owner = owningProfile(summary);
  const profile = owner === undefined ? {} : { profile: [owner.kind, owner.namespace, owner.name].filter((part) => part !== "").join("/") };
  return { ...profile, cluster: clusterKeyOf(summary), clusterSummary: summary.metadata.name };
}

function featureStates({ featureSummaries = [] }: ClusterSummaryStatus): string {
  return featureSummaries.map(({ featureID, status }) => `${featureID} ${status ?? ""}`).join();
}

/** A tenant may deploy thousands of objects: the line says how many there are, and names so many. */
const namedObjects = 100;

type AuditedObject = Pick<ObjectRef, "kind" | "name"> & { readonly namespace?: string | undefined };

/** What is deployed, as far as it is recorded. */
function objectsIn({ releases = [] }: ClusterSummaryStatus): readonly AuditedObject[] {
  return releases.flatMap((release) => release.objects ?? []);
}

function auditOf(access: SummaryAccess, objects: readonly AuditedObject[]): Readonly<Record<string, unknown>> {
  if (access.by === "platform") return {};
  const { namespace, name } = access.tenant;
  return {
    tenant: `${namespace}/${name}`,
    roleRequests: access.grants,
    objectCount: objects.length,
    objects: objects
      .slice(0, namedObjects)
      .map(({ kind, namespace = "", name }) => `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`),
  };
}
