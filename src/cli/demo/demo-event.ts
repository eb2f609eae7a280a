import { originOf } from "../../sveltos/api/index.ts";
import { unreachable } from "../../core/fault/index.ts";
import { assess } from "../../health/index.ts";
import { groupVersionOf, listAt, refOf, stringAt, type Fields, type KubeObject, type ObjectRef } from "../../core/object/index.ts";

/** Something that happens in a managed cluster, read from an object of it or of the management cluster. */
export type DemoEvent = { readonly cluster: string } & (
  | { readonly type: "deployed"; readonly refs: readonly ObjectRef[]; readonly because: DemoCause }
  | { readonly type: "event"; readonly source: string; readonly refs: readonly ObjectRef[] }
  | { readonly type: "ready"; readonly ref: ObjectRef }
  | { readonly type: "waiting" | "failed"; readonly ref: ObjectRef; readonly because: string }
  | { readonly type: "profile-failed"; readonly profile: string; readonly because: string }
);

/** What caused a deployment: a profile that a user wrote, or a trigger. */
export type DemoCause = { readonly type: "profile"; readonly name: string } | { readonly type: "trigger"; readonly name: string };

/** The health of a workload of a managed cluster. */
export function workloadEvent(cluster: string, object: KubeObject): DemoEvent {
  const ref = refOf(object);
  const health = assess(object, { hasStatus: true });
  switch (health.state) {
    case "ready":
      return { cluster, type: "ready", ref };
    case "progressing":
      return { cluster, type: "waiting", ref, because: health.because };
    case "failed":
      return { cluster, type: "failed", ref, because: health.because };
    default:
      return unreachable(health);
  }
}

/** The event that an EventReport reports, if it has matching resources. */
export function reportEvent(report: KubeObject): DemoEvent | undefined {
  const refs = listAt(report, "spec.matchingResources").map(referredTo);
  if (refs.length === 0) return undefined;
  return { cluster: stringAt(report, "spec.clusterName", ""), type: "event", source: stringAt(report, "spec.eventSourceName", ""), refs };
}

/** What a ClusterSummary reports as deployed, or why it was not. */
export function summaryEvent(summary: KubeObject): DemoEvent | undefined {
  const cluster = stringAt(summary, "spec.clusterName", "");
  const profile = summary.metadata.ownerReferences?.[0]?.name ?? summary.metadata.name;
  const features = listAt(summary, "status.featureSummaries");
  const because = features.map((feature) => stringAt(feature, "failureMessage", "")).find((message) => message !== "");
  if (because !== undefined) return { cluster, type: "profile-failed", profile, because };
  if (features.length === 0 || features.some((feature) => stringAt(feature, "status") !== "Provisioned")) return undefined;
  const refs = listAt(summary, "status.releases").flatMap((release) => listAt(release, "objects").map(referredTo));
  const origin = originOf(summary.metadata.labels);
  const cause: DemoCause = origin === undefined ? { type: "profile", name: profile } : { type: "trigger", name: origin.trigger };
  return { cluster, type: "deployed", refs, because: cause };
}

/** The ref of an object from an EventReport (by apiVersion) or a ClusterSummary (by group and version). */
function referredTo(reference: Fields): ObjectRef {
  const text = (field: string) => stringAt(reference, field, "");
  const apiVersion = stringAt(reference, "apiVersion");
  const kindOf = apiVersion === undefined ? { group: text("group"), version: text("version") } : groupVersionOf(apiVersion);
  return { ...kindOf, kind: text("kind"), namespace: text("namespace"), name: text("name") };
}
