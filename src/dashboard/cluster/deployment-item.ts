import { listAt, numberAt, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import { originOf } from "../../sveltos/api/index.ts";
import { ownerProfileOf } from "../../sveltos/inspect/index.ts";
import type { CellState, DeploymentItem, FeatureOutline, ReleaseOutline } from "../api/index.ts";
import { summaryStateOf } from "../fleet/summary-state.ts";

/** What a ClusterSummary says of a profile in its cluster; undefined when it belongs to no profile. */
export function deploymentItemOf(summary: KubeObject): DeploymentItem | undefined {
  const owner = ownerProfileOf(summary);
  if (owner === undefined) return undefined;
  const { namespace = "", name, labels } = summary.metadata;
  const trigger = originOf(labels)?.trigger;
  const dependencies = stringAt(summary, "status.dependencies", "");
  const clusterUid = stringAt(summary, "status.clusterUID");
  return {
    type: "deployment",
    profile: { kind: owner.kind, namespace: owner.namespace ?? "", name: owner.name },
    ...(trigger === undefined ? {} : { trigger }),
    summary: { namespace, name },
    ...summaryStateOf(summary),
    syncMode: stringAt(summary, "spec.clusterProfileSpec.syncMode", "Continuous"),
    ...(dependencies === "" || dependencies === "no dependencies" ? {} : { dependencies }),
    features: featuresOf(summary),
    releases: listAt(summary, "status.helmReleaseSummaries").map(releaseOf),
    ...(clusterUid === undefined ? {} : { clusterUid }),
  };
}

/** The key of a deployment among the items of its cluster. */
export function deploymentKeyOf({ profile: { kind, namespace, name } }: Pick<DeploymentItem, "profile">): string {
  return `deployment/${kind}/${namespace}/${name}`;
}

const contents = { Helm: "helmCharts", Resources: "policyRefs", Kustomize: "kustomizationRefs" } as const;

/** The features that have a status, and those that the profile has content for. */
function featuresOf(summary: KubeObject): readonly FeatureOutline[] {
  const known = new Map(listAt(summary, "status.featureSummaries").map((feature) => [stringAt(feature, "featureID", ""), feature]));
  const wanted = Object.entries(contents)
    .filter(([, field]) => listAt(summary, `spec.clusterProfileSpec.${field}`).length > 0)
    .map(([id]) => id);
  return [...new Set([...wanted, ...known.keys()])].map((id) => featureOf(id, known.get(id) ?? {}));
}

function featureOf(id: string, feature: Fields): FeatureOutline {
  const message = stringAt(feature, "failureMessage", "");
  const status = stringAt(feature, "status", "");
  const appliedAtMs = Date.parse(stringAt(feature, "lastAppliedTime", ""));
  const failures = numberAt(feature, "consecutiveFailures", 0);
  return {
    id,
    status,
    state: message !== "" ? "failed" : (featureStates[status] ?? "waiting"),
    ...(message === "" ? {} : { message }),
    ...(Number.isNaN(appliedAtMs) ? {} : { appliedAtMs }),
    ...(failures === 0 ? {} : { consecutiveFailures: failures }),
  };
}

const featureStates: Readonly<Record<string, CellState>> = {
  Provisioning: "progressing",
  Provisioned: "ready",
  Failed: "failed",
  FailedNonRetriable: "failed",
  Removing: "progressing",
  AgentRemoving: "progressing",
  Removed: "ready",
};

function releaseOf(release: Fields): ReleaseOutline {
  const text = (path: string) => stringAt(release, path, "");
  const message = [text("conflictMessage"), text("failureMessage")].filter((each) => each !== "").join("; ");
  return {
    namespace: text("releaseNamespace"),
    name: text("releaseName"),
    ...optional("chart", text("chartName")),
    ...optional("version", text("chartVersion")),
    state: message !== "" || text("status") === "Conflict" ? "failed" : "ready",
    ...optional("message", message),
  };
}

function optional<Key extends string>(key: Key, value: string): { readonly [key in Key]?: string } {
  return value === "" ? {} : ({ [key]: value } as { readonly [key in Key]: string });
}
