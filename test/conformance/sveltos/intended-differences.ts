/**
 * What Sluice does differently from Sveltos 0.51.1 on purpose. Every rule names kinds and fields as narrowly as possible, and
 * the reason. A difference without a rule is a bug. "Issue", "spec" and "observed" name where it was decided.
 */
import { equal, isFields, stringAt } from "../../../src/core/object/index.ts";
import {
  changesIn,
  failsInRecord,
  featuresOf,
  hasFailed,
  isEntryOf,
  isKeptInConflict,
  isOfFailingSource,
  isOfQuotedTemplate,
  isOfWhatIsKept,
  isOwnershipAnnotated,
  isTrueOwnership,
  hasFailingTrigger,
  listsNothing,
  ourObject,
  ofKind,
  isSameReason,
  sidesOf,
  summariesOf,
} from "./difference-conditions.ts";
import { differenceRule, type DifferenceRule } from "./difference-rule.ts";

const isSha256 = (value: unknown) => typeof value === "string" && Buffer.from(value, "base64").length === 32;
const isText = (value: unknown) => typeof value === "string" && value !== "";
const isCount = (value: unknown) => typeof value === "number" && value > 0;
const isNothing = (value: unknown) => value === undefined || (isFields(value) && Object.keys(value).length === 0);

/** What Sluice stores differently, or in addition. */
const keeping: readonly DifferenceRule[] = [
  differenceRule({
    on: "ConfigMaps sveltos-agent-version, clustersharding-addonmanager-helm",
    because: "bookkeeping between Sveltos' own parts",
    kinds: ["ConfigMap"],
    path: /^$/,
    when: ({ name, got }) => got === undefined && /^projectsveltos\/(sveltos-agent-version|clustersharding-addonmanager-helm)$/.test(name),
  }),
  differenceRule({
    on: "hashes in the status of EventTriggers and ClusterSummaries",
    because: "fingerprints of what was last seen, which only the program that made them can read",
    kinds: ["EventTrigger", "ClusterSummary"],
    path: /^status\.(clusterInfo\[[^\]]+\]\.hash|featureSummaries\[\w+\]\.hash|helmReleaseSummaries\[\d+\]\.valuesHash)$/,
    when: ({ recorded, got }) => isSha256(recorded) && isSha256(got),
  }),
  differenceRule({
    on: "observedGeneration of EventTriggers, ClusterProfiles, Profiles, ClusterSummaries",
    because: "shows whether a status is about what was last written; Sveltos has none",
    kinds: ["EventTrigger", "ClusterProfile", "Profile", "ClusterSummary"],
    path: /^status\.observedGeneration$/,
    when: ({ recorded, got }) => recorded === undefined && isCount(got),
  }),
  differenceRule({
    on: "conditions of EventTriggers, ClusterProfiles, Profiles, ClusterSummaries",
    because: "say what Sveltos says nowhere: what is waited for, and what matches nothing (issue)",
    kinds: ["EventTrigger", "ClusterProfile", "Profile", "ClusterSummary"],
    path: /^status\.conditions$/,
    when: ({ recorded, got }) => recorded === undefined && Array.isArray(got),
  }),
  differenceRule({
    on: "status of EventSources",
    because: "shows what matches, what failed and why; Sveltos has none (issue)",
    kinds: ["EventSource"],
    path: /^status$/,
    when: ({ recorded }) => recorded === undefined,
  }),
  differenceRule({
    on: "status.releases of ClusterSummaries",
    because: "what was deployed and which hooks have run is kept there (issue)",
    kinds: ["ClusterSummary"],
    path: /^status\.releases$/,
    when: ({ recorded }) => recorded === undefined,
  }),
  differenceRule({
    on: "status.clusterUID of ClusterSummaries",
    because: "a cluster that is made anew is told from the one before it and filled again",
    kinds: ["ClusterSummary"],
    path: /^status\.clusterUID$/,
    when: ({ recorded }) => recorded === undefined,
  }),
  differenceRule({
    on: "status.updatedClusters of ClusterProfiles",
    because: "an empty one is there or not by chance of timing (observed)",
    kinds: ["ClusterProfile", "Profile"],
    path: /^status\.updatedClusters$/,
    when: ({ recorded, got }) => isNothing(recorded) && isNothing(got),
  }),
  differenceRule({
    on: "labels of ClusterSummaries",
    because: "follow the profile's; Sveltos copies them once, when it makes the summary (spec 1.6)",
    kinds: ["ClusterSummary"],
    path: /^metadata\.labels\./,
    when: (difference, states) => {
      const key = difference.path.slice("metadata.labels.".length);
      const owner = sidesOf(difference, states).our?.metadata.ownerReferences?.[0]?.name;
      const profile = ofKind(states.recorded, "ClusterProfile").find(({ metadata }) => metadata.name === owner);
      return profile !== undefined && difference.got === profile.metadata.labels?.[key];
    },
  }),
  differenceRule({
    on: "createdAt of Helm's release records",
    because: "kept when a record is written again; Helm forgets it",
    kinds: ["Secret"],
    in: "managed",
    path: /^metadata\.labels\.createdAt$/,
    when: ({ recorded, got }) => recorded === undefined && /^\d+$/.test(String(got)),
  }),
  differenceRule({
    on: "annotations sluice.dev/writer and projectsveltos.io/owner-* of Helm's release records",
    because:
      "tell our pending records from those of a Helm that is at work, which is waited for, and which profile manages the release; Sveltos keeps that in memory (spec 4.5)",
    kinds: ["Secret"],
    in: "managed",
    path: /^metadata\.annotations$/,
    when: ({ recorded, got }) =>
      recorded === undefined && isFields(got) && Object.keys(got).every((key) => recordAnnotations.includes(key)),
  }),
];

/** The annotations of Helm's release records. */
const recordAnnotations: readonly string[] = [
  "sluice.dev/writer",
  ...["owner-kind", "owner-name", "owner-namespace", "owner-tier", "clustersummary"].map((key) => `projectsveltos.io/${key}`),
];

/** Ownership of objects in managed clusters. */
const ownership: readonly DifferenceRule[] = [
  differenceRule({
    on: "owner annotations of deployed objects and EventSources",
    because: "newer versions of Sveltos have them in the place of ownerReferences (issue, spec 4.4)",
    in: "managed",
    path: /^metadata\.annotations\.projectsveltos\.io\/(reference-(kind|name|namespace|tier)|owner-(kind|name|namespace)|clustersummary|deploymenttype)$/,
    when: (difference, states) => difference.recorded === undefined && isTrueOwnership(difference, states),
  }),
  differenceRule({
    on: "ownerReferences of deployed objects and EventSources",
    because: "only an owner in the same cluster is one; the annotations name it (issue)",
    in: "managed",
    path: /^metadata\.ownerReferences$/,
    when: (difference, states) => difference.got === undefined && isOwnershipAnnotated(difference, states),
  }),
  differenceRule({
    on: "messages of ClusterReports",
    because: "the difference shows these annotations in the place of ownerReferences",
    kinds: ["ClusterReport"],
    path: /^status\.resourceReports\[[^\]]+\]\.message$/,
    when: ({ recorded, got }) => isText(recorded) && isText(got) && changesIn(String(recorded)) === changesIn(String(got)),
  }),
  differenceRule({
    on: "finalizer of EventSources in managed clusters",
    because: "the agent clears away what is left whenever it looks, and one that is gone holds nothing up",
    kinds: ["EventSource"],
    in: "managed",
    path: /^metadata\.finalizers$/,
    when: ({ recorded, got }) => got === undefined && equal(recorded, ["eventsource.finalizer.projectsveltos.io"]),
  }),
];

/** Failures, which Sveltos reports in few places or none (issue: errors are visible). */
const failures: readonly DifferenceRule[] = [
  differenceRule({
    on: "status of failed features in ClusterSummaries",
    because: "is Failed until the next try; Sveltos says Provisioning between tries (observed)",
    kinds: ["ClusterSummary"],
    path: /^status\.featureSummaries\[\w+\]\.status$/,
    when: (difference, states) => {
      const { their, our } = featuresOf(difference, states);
      const areFailures = isText(their["failureMessage"]) && isText(our["failureMessage"]);
      return difference.recorded === "Provisioning" && String(difference.got).startsWith("Failed") && areFailures;
    },
  }),
  differenceRule({
    on: "failureMessage of failed features in ClusterSummaries",
    because: "says the same with the object, the key and the line (issue)",
    kinds: ["ClusterSummary"],
    path: /^status\.featureSummaries\[\w+\]\.failureMessage$/,
    when: ({ recorded, got }) => isText(recorded) && isText(got) && isSameReason(String(recorded), String(got)),
  }),
  differenceRule({
    on: "consecutiveFailures of failed features in ClusterSummaries",
    because: "tries are spaced out; Sveltos tries every 10 s (observed)",
    kinds: ["ClusterSummary"],
    path: /^status\.featureSummaries\[\w+\]\.consecutiveFailures$/,
    when: ({ recorded, got }) => isCount(recorded) && isCount(got),
  }),
  differenceRule({
    on: "lastAppliedTime and hash in ClusterSummaries, where nothing was applied",
    because: "they are of what was applied; what failed or is in DryRun was not",
    kinds: ["ClusterSummary"],
    path: /^status\.featureSummaries\[\w+\]\.(lastAppliedTime|hash)$/,
    when: (difference, states) => {
      const isDryRun = stringAt(sidesOf(difference, states).our, "spec.clusterProfileSpec.syncMode") === "DryRun";
      return difference.got === undefined && (isDryRun || isText(featuresOf(difference, states).our["failureMessage"]));
    },
  }),
  differenceRule({
    on: "Features of ClusterConfigurations that list nothing",
    because: "only what is deployed is listed",
    kinds: ["ClusterConfiguration"],
    path: /^status\.(clusterProfileResources|profileResources)\[[^\]]+\]\.Features(\[\w+\])?$/,
    when: ({ recorded, got }) => got === undefined && listsNothing(recorded),
  }),
  differenceRule({
    on: "status.failedClusters of ClusterProfiles",
    because: "a profile reports what fails in its clusters; Sveltos' does not (issue)",
    kinds: ["ClusterProfile", "Profile"],
    path: /^status\.failedClusters$/,
    when: ({ recorded, name }, { recorded: state }) => recorded === undefined && summariesOf(state, name).some(hasFailed),
  }),
  differenceRule({
    on: "status and failureMessage in status.clusterInfo of EventTriggers",
    because: "Sveltos says Provisioned although the event could not be answered, or the script fails that finds events (observed)",
    kinds: ["EventTrigger"],
    path: /^status\.clusterInfo\[[^\]]+\]\.(status|failureMessage)$/,
    when: (difference, states) => {
      const { recorded, got, path } = difference;
      const isTold = path.endsWith(".status") ? recorded === "Provisioned" && got === "Failed" : recorded === undefined && isText(got);
      const { our } = sidesOf(difference, states);
      return isTold && our !== undefined && (failsInRecord(our, states) || isOfFailingSource(our, states));
    },
  }),
  differenceRule({
    on: "phase of EventReports in managed clusters",
    because: "shows whether the report was fetched; Sveltos leaves it waiting while a trigger fails, which our triggers report",
    kinds: ["EventReport"],
    in: "managed",
    path: /^status\.phase$/,
    when: (difference, states) => {
      const source = stringAt(sidesOf(difference, states).our, "spec.eventSourceName", "");
      return difference.recorded === "WaitingForDelivery" && difference.got === "Processed" && hasFailingTrigger(source, states);
    },
  }),
];

/** What works in Sluice and not in Sveltos. */
const better: readonly DifferenceRule[] = [
  differenceRule({
    on: "EventReports of EventSources that fail on an object, and what is made of them",
    because: "the other objects go on; in Sveltos a bad one freezes the source (issue)",
    when: (difference, states) => {
      const { kind, path, recorded } = difference;
      if (kind === "EventReport") {
        return /^spec\.(matchingResources|resources)/.test(path) && isOfFailingSource(sidesOf(difference, states).our, states);
      }
      if (kind === "ClusterConfiguration") return isEntryOf(difference, states, isOfFailingSource);
      return path === "" && recorded === undefined && isOfFailingSource(ourObject(difference), states);
    },
  }),
  differenceRule({
    on: "what is made of event templates with quotes",
    because: "each key is rendered by itself; Sveltos renders all of them as one JSON text, which quotes break (observed)",
    when: (difference, states) => {
      const { kind, path, recorded, cluster } = difference;
      if (kind === "ClusterConfiguration") return isEntryOf(difference, states, isOfQuotedTemplate);
      if (path === "") return recorded === undefined && isOfQuotedTemplate(ourObject(difference), states);
      const isShown = cluster !== "management" || quoted[kind]?.test(path) === true;
      return isShown && isOfQuotedTemplate(sidesOf(difference, states).our, states);
    },
  }),
  differenceRule({
    on: "objects of a profile that lost another to a conflict",
    because: "it keeps the ones without a conflict; Sveltos removes them (observed, issue)",
    in: "managed",
    path: /^$/,
    when: (difference, states) => difference.recorded === undefined && isKeptInConflict(difference, states),
  }),
  differenceRule({
    on: "ClusterConfiguration and deployedGVKs of such a profile",
    because: "list the objects that it keeps",
    kinds: ["ClusterConfiguration", "ClusterSummary"],
    path: /^status\.(clusterProfileResources\[[^\]]+\]\.Features|deployedGVKs)/,
    when: (difference, states) => difference.recorded === undefined && isOfWhatIsKept(difference, states),
  }),
];

/** The fields that show the result of a template. */
const quoted: Readonly<Record<string, RegExp>> = {
  ConfigMap: /^(data|metadata\.annotations)\./,
  ClusterProfile: /^status\.failedClusters$/,
  ClusterSummary: /^status\.featureSummaries\[\w+\]\.(status|failureMessage|consecutiveFailures)$/,
};

/** What users may submit. */
const inputs: readonly DifferenceRule[] = [
  differenceRule({
    on: "manifests of API version v1alpha1",
    because: "are accepted: those of older versions work as they are (issue)",
    kinds: ["Input"],
    path: /^refusal$/,
    when: ({ recorded, got }) =>
      got === undefined && /no matches for kind "\w+" in version "(lib|config)\.projectsveltos\.io\/v1alpha1"/.test(String(recorded)),
  }),
];

export const intendedDifferences: readonly DifferenceRule[] = [...keeping, ...ownership, ...failures, ...better, ...inputs];
