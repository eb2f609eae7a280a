import { isHeld } from "../../deploy/index.ts";
import { isDeleting, listAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { clusterSummaryName, readProfile, type ClusterId } from "../../api/index.ts";
import type { ChainLink } from "../../../view/index.ts";
import { profileKindOf } from "../profile-kind.ts";
import { withdrawalAdviceFor } from "./advice.ts";
import type { FleetObjects } from "./fleet-objects.ts";
import { brokenLink, conditionTrouble, deletionLink, linkTo, objectOf, okLink, ownTrouble, unknownLink, waitingLink } from "./link.ts";

/** A profile itself. */
export function profileLink(profile: KubeObject): ChainLink {
  if (!isDeleting(profile)) return ownTrouble(profile, readProfile(profile)) ?? conditionTrouble(profile) ?? okLink(objectOf(profile));
  const own = deletionLink(profile);
  return { ...own, ...withdrawalAdviceFor(own.message, profile) };
}

/** The links of a profile in a cluster: its ClusterSummary, and each of its features. */
export function deployLinks(profile: KubeObject, cluster: ClusterId, fleet: FleetObjects): readonly ChainLink[] {
  const name = clusterSummaryName(profileKindOf(profile), profile.metadata.name, cluster);
  const link = linkTo("ClusterSummary", name, cluster.namespace);
  const summary = summaryIn(cluster, profile, fleet);
  if (summary !== undefined) return [summaryLink(summary), ...featureLinks(summary)];
  if (fleet.isUnreadable("ClusterSummary")) return [unknownLink(link, "it may not be read")];
  if (isDeleting(profile)) return [];
  return [waitingLink(link, "there is none yet: the cluster is not ready, or spec.maxUpdate holds it back")];
}

/** The ClusterSummary of a profile in a cluster. */
export function summaryIn(cluster: ClusterId, profile: KubeObject, fleet: FleetObjects): KubeObject | undefined {
  const name = clusterSummaryName(profileKindOf(profile), profile.metadata.name, cluster);
  return fleet.summaries.find(({ metadata }) => metadata.name === name && metadata.namespace === cluster.namespace);
}

function summaryLink(summary: KubeObject): ChainLink {
  const link = objectOf(summary);
  const failure = stringAt(summary, "status.failureMessage", "");
  if (failure !== "") return brokenLink(link, failure);
  const suspended = stringAt(summary, "status.suspensionReason");
  if (suspended !== undefined) return waitingLink(link, `suspended: ${suspended}`);
  const dependencies = stringAt(summary, "status.dependencies", "");
  if (!dependencies.startsWith("waiting"))
    return conditionTrouble(summary) ?? (isDeleting(summary) ? waitingLink(link, "it is being withdrawn") : okLink(link));
  const [, kind, name] = /\b(ClusterProfile|Profile) (\S+)/.exec(dependencies) ?? [];
  return waitingLink(link, dependencies, name === undefined ? undefined : `sluice why ${kind}/${name} says what holds that one up`);
}

const wantedBy = { Resources: "policyRefs", Helm: "helmCharts" } as const;

function featureLinks(summary: KubeObject): readonly ChainLink[] {
  const features = listAt(summary, "status.featureSummaries");
  const known = features.map((feature) => featureLink(feature, listAt(summary, "status.helmReleaseSummaries")));
  const missing = Object.entries(wantedBy).filter(
    ([id, field]) => listAt(summary, `spec.clusterProfileSpec.${field}`).length > 0 && !features.some(({ featureID }) => featureID === id),
  );
  return [...known, ...missing.map(([id]) => waitingLink(linkTo("Feature", id), "not deployed yet"))];
}

function featureLink(feature: Fields, releases: readonly Fields[]): ChainLink {
  const id = stringAt(feature, "featureID", "");
  const link = linkTo("Feature", id);
  const status = stringAt(feature, "status", "");
  const message = stringAt(feature, "failureMessage", "");
  if (isHeld(status, message)) return waitingLink(link, message);
  if (message !== "" || status.startsWith("Failed")) return brokenLink(link, message === "" ? status : message);
  const conflict =
    id === "Helm" ? releases.map((release) => stringAt(release, "conflictMessage", "")).find((text) => text !== "") : undefined;
  if (conflict !== undefined) return brokenLink(link, conflict);
  return status === "Provisioned" || status === "Removed" ? okLink(link, status) : waitingLink(link, status);
}
