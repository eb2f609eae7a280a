import { reasonLabel, selectorFor, type ClusterSummaryStatus, type ValidateHealth } from "../api/index.ts";
import { labelSelectorOf, labelSelectorText, type GroupVersionKind, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { chartObjects } from "./charts/chart-drift.ts";
import { summaryScopeForWithdrawal } from "./cluster-summary-scope.ts";
import { summaryStatusOf } from "./summary-status-store.ts";
import type { AddonRequest, AddonContext } from "./addon-request.ts";

/** A deployed object, with the label selector of its watch. */
type DeployedObject = { readonly ref: ObjectRef; readonly labelSelector: string };

/** Lists the deployed objects of a profile, to be watched for drift. */
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

/** The objects of a health check. */
type HealthCheckTarget = { readonly kind: GroupVersionKind; readonly namespace?: string; readonly labelSelector?: string };

/** The objects of the health checks of features that are not Provisioned yet, to be watched. */
export function healthCheckTargetsOf(request: AddonRequest): readonly HealthCheckTarget[] {
  const { profile } = summaryScopeForWithdrawal(request).summary;
  const { featureSummaries = [] }: ClusterSummaryStatus = summaryStatusOf(request.summary);
  const isOpen = ({ featureID }: ValidateHealth) => featureSummaries.find((each) => each.featureID === featureID)?.status !== "Provisioned";
  return profile.validateHealths.filter(isOpen).map(({ group, version, kind, ...check }) => ({
    kind: { group, version, kind },
    ...healthCheckSelectionOf(check),
  }));
}

/** The namespace and label selector of a health check. */
export function healthCheckSelectionOf({
  namespace,
  labelFilters,
}: Pick<ValidateHealth, "namespace" | "labelFilters">): Omit<HealthCheckTarget, "kind"> {
  const labelSelector = labelSelectorText(labelSelectorOf(selectorFor(labelFilters)));
  return { ...(namespace === "" ? {} : { namespace }), ...(labelSelector === "" ? {} : { labelSelector }) };
}
