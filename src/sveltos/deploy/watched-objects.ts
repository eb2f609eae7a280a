import { reasonLabel, selectorFor, type ClusterSummaryStatus, type ValidateHealth } from "../api/index.ts";
import { labelSelectorOf, labelSelectorText, type GroupVersionKind, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { chartObjects } from "./charts/chart-drift.ts";
import { summaryScopeForWithdrawal } from "./cluster-summary-scope.ts";
import { summaryStatusOf } from "./summary-status-store.ts";
import type { AddonRequest, AddonContext } from "./addon-request.ts";

/** An object that a profile has in a cluster, with the labels by which such objects are found there. */
export type DeployedObject = { readonly ref: ObjectRef; readonly labelSelector: string };

/** What a profile has in a cluster, and is to be watched if drift is to be noticed. */
export async function readDeployedObjects(
  summary: KubeObject,
  context: AddonContext,
  options: { readonly signal: AbortSignal },
): Promise<readonly DeployedObject[]> {
  const status = summaryStatusOf(summary);
  const release = status.releases?.find(({ featureID }) => featureID === "Resources");
  const resources = (release?.objects ?? []).map(({ hash: _hash, namespace = "", ...rest }) => ({ ...rest, namespace }));
  return [
    ...resources.map((ref) => ({ ref, labelSelector: `${reasonLabel}=Resources` })),
    ...(await chartObjects(status, context.cluster, options)).map((ref) => ({ ref, labelSelector: "app.kubernetes.io/managed-by=Helm" })),
  ];
}

/** The objects that a health check asks. */
export type HealthCheckTarget = { readonly kind: GroupVersionKind; readonly namespace?: string; readonly labelSelector?: string };

/** What has to be watched to hear that a profile has become healthy: what the checks ask that it has not passed yet. */
export function healthCheckTargetsOf(request: AddonRequest): readonly HealthCheckTarget[] {
  const { profile } = summaryScopeForWithdrawal(request).summary;
  const { featureSummaries = [] }: ClusterSummaryStatus = summaryStatusOf(request.summary);
  const isOpen = ({ featureID }: ValidateHealth) => featureSummaries.find((each) => each.featureID === featureID)?.status !== "Provisioned";
  return profile.validateHealths.filter(isOpen).map(({ group, version, kind, ...check }) => ({
    kind: { group, version, kind },
    ...healthCheckSelectionOf(check),
  }));
}

/** Which objects of its kind a health check is about. */
export function healthCheckSelectionOf({
  namespace,
  labelFilters,
}: Pick<ValidateHealth, "namespace" | "labelFilters">): Omit<HealthCheckTarget, "kind"> {
  const labelSelector = labelSelectorText(labelSelectorOf(selectorFor(labelFilters)));
  return { ...(namespace === "" ? {} : { namespace }), ...(labelSelector === "" ? {} : { labelSelector }) };
}
