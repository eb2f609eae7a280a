/**
 * What Sluice does differently from Sveltos 0.51.1 on purpose. Every rule is on kinds and fields, as narrow as can be, and
 * says why; what falls under none is a bug. "Issue", "spec" and "observed" tell where it was decided.
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
  isOwnershipTold,
  isTrueOwnership,
  isTroubled,
  listsNothing,
  objectOf,
  ofKind,
  saysTheSame,
  sidesOf,
  summariesOf,
} from "./evidence.ts";
import { rule, type Rule } from "./rule.ts";

const isSha256 = (value: unknown) => typeof value === "string" && Buffer.from(value, "base64").length === 32;
const isText = (value: unknown) => typeof value === "string" && value !== "";
const isCount = (value: unknown) => typeof value === "number" && value > 0;
const isNothing = (value: unknown) => value === undefined || (isFields(value) && Object.keys(value).length === 0);

/** What Sluice keeps otherwise, or more of. */
const keeping: readonly Rule[] = [
  rule({
    on: "ConfigMaps sveltos-agent-version, clustersharding-addonmanager-helm",
    because: "bookkeeping between Sveltos' own parts",
    kinds: ["ConfigMap"],
    path: /^$/,
    when: ({ name, got }) => got === undefined && /^projectsveltos\/(sveltos-agent-version|clustersharding-addonmanager-helm)$/.test(name),
  }),
  rule({
    on: "hashes in the status of EventTriggers and ClusterSummaries",
    because: "fingerprints of what was last seen, which only the program that made them can read",
    kinds: ["EventTrigger", "ClusterSummary"],
    path: /^status\.(clusterInfo\[[^\]]+\]\.hash|featureSummaries\[\w+\]\.hash|helmReleaseSummaries\[\d+\]\.valuesHash)$/,
    when: ({ recorded, got }) => isSha256(recorded) && isSha256(got),
  }),
  rule({
    on: "observedGeneration of EventTriggers, ClusterProfiles, Profiles",
    because: "tells whether a status is about what was last written; Sveltos has none",
    kinds: ["EventTrigger", "ClusterProfile", "Profile"],
    path: /^status\.observedGeneration$/,
    when: ({ recorded, got }) => recorded === undefined && isCount(got),
  }),
  rule({
    on: "status of EventSources",
    because: "tells what matches, what failed and why; Sveltos has none (issue)",
    kinds: ["EventSource"],
    path: /^status$/,
    when: ({ recorded }) => recorded === undefined,
  }),
  rule({
    on: "status.releases of ClusterSummaries",
    because: "what was deployed and which hooks have run is kept there (issue)",
    kinds: ["ClusterSummary"],
    path: /^status\.releases$/,
    when: ({ recorded }) => recorded === undefined,
  }),
  rule({
    on: "status.updatedClusters of ClusterProfiles",
    because: "an empty one is there or not by chance of timing (observed)",
    kinds: ["ClusterProfile", "Profile"],
    path: /^status\.updatedClusters$/,
    when: ({ recorded, got }) => isNothing(recorded) && isNothing(got),
  }),
  rule({
    on: "labels of ClusterSummaries",
    because: "follow the profile's; Sveltos copies them once, when it makes the summary (spec 1.6)",
    kinds: ["ClusterSummary"],
    path: /^metadata\.labels\./,
    when: (difference, situation) => {
      const key = difference.path.slice("metadata.labels.".length);
      const owner = sidesOf(difference, situation).our?.metadata.ownerReferences?.[0]?.name;
      const profile = ofKind(situation.recorded, "ClusterProfile").find(({ metadata }) => metadata.name === owner);
      return profile !== undefined && difference.got === profile.metadata.labels?.[key];
    },
  }),
  rule({
    on: "createdAt of Helm's release records",
    because: "kept when a record is written again; Helm forgets it",
    kinds: ["Secret"],
    in: "managed",
    path: /^metadata\.labels\.createdAt$/,
    when: ({ recorded, got }) => recorded === undefined && /^\d+$/.test(String(got)),
  }),
];

/** Who owns what is in a managed cluster. */
const ownership: readonly Rule[] = [
  rule({
    on: "owner annotations of deployed objects and EventSources",
    because: "newer versions of Sveltos have them in the place of ownerReferences (issue, spec 4.4)",
    in: "managed",
    path: /^metadata\.annotations\.projectsveltos\.io\/(reference-(kind|name|namespace|tier)|owner-(kind|name|namespace)|clustersummary|deploymenttype)$/,
    when: (difference, situation) => difference.recorded === undefined && isTrueOwnership(difference, situation),
  }),
  rule({
    on: "ownerReferences of deployed objects and EventSources",
    because: "only an owner in the same cluster is one; the annotations name it (issue)",
    in: "managed",
    path: /^metadata\.ownerReferences$/,
    when: (difference, situation) => difference.got === undefined && isOwnershipTold(difference, situation),
  }),
  rule({
    on: "messages of ClusterReports",
    because: "the difference shows these annotations in the place of ownerReferences",
    kinds: ["ClusterReport"],
    path: /^status\.resourceReports\[[^\]]+\]\.message$/,
    when: ({ recorded, got }) => isText(recorded) && isText(got) && changesIn(String(recorded)) === changesIn(String(got)),
  }),
  rule({
    on: "finalizer of EventSources in managed clusters",
    because: "the agent clears away what is left whenever it looks, and one that is gone holds nothing up",
    kinds: ["EventSource"],
    in: "managed",
    path: /^metadata\.finalizers$/,
    when: ({ recorded, got }) => got === undefined && equal(recorded, ["eventsource.finalizer.projectsveltos.io"]),
  }),
];

/** Failures, which Sveltos shows in few places or none (issue: errors are visible). */
const failures: readonly Rule[] = [
  rule({
    on: "status of failed features in ClusterSummaries",
    because: "is Failed until the next try; Sveltos says Provisioning between tries (observed)",
    kinds: ["ClusterSummary"],
    path: /^status\.featureSummaries\[\w+\]\.status$/,
    when: (difference, situation) => {
      const { their, our } = featuresOf(difference, situation);
      const areFailures = isText(their["failureMessage"]) && isText(our["failureMessage"]);
      return difference.recorded === "Provisioning" && String(difference.got).startsWith("Failed") && areFailures;
    },
  }),
  rule({
    on: "failureMessage of failed features in ClusterSummaries",
    because: "says the same with the object, the key and the line (issue)",
    kinds: ["ClusterSummary"],
    path: /^status\.featureSummaries\[\w+\]\.failureMessage$/,
    when: ({ recorded, got }) => isText(recorded) && isText(got) && saysTheSame(String(recorded), String(got)),
  }),
  rule({
    on: "consecutiveFailures of failed features in ClusterSummaries",
    because: "tries are spaced out; Sveltos tries every 10 s (observed)",
    kinds: ["ClusterSummary"],
    path: /^status\.featureSummaries\[\w+\]\.consecutiveFailures$/,
    when: ({ recorded, got }) => isCount(recorded) && isCount(got),
  }),
  rule({
    on: "lastAppliedTime and hash in ClusterSummaries, where nothing was applied",
    because: "they are of what was applied; what failed or is in DryRun was not",
    kinds: ["ClusterSummary"],
    path: /^status\.featureSummaries\[\w+\]\.(lastAppliedTime|hash)$/,
    when: (difference, situation) => {
      const isDryRun = stringAt(sidesOf(difference, situation).our, "spec.clusterProfileSpec.syncMode") === "DryRun";
      return difference.got === undefined && (isDryRun || isText(featuresOf(difference, situation).our["failureMessage"]));
    },
  }),
  rule({
    on: "Features of ClusterConfigurations that list nothing",
    because: "only what is deployed is listed",
    kinds: ["ClusterConfiguration"],
    path: /^status\.(clusterProfileResources|profileResources)\[[^\]]+\]\.Features(\[\w+\])?$/,
    when: ({ recorded, got }) => got === undefined && listsNothing(recorded),
  }),
  rule({
    on: "status.failedClusters of ClusterProfiles",
    because: "a profile tells what fails in its clusters; Sveltos' does not (issue)",
    kinds: ["ClusterProfile", "Profile"],
    path: /^status\.failedClusters$/,
    when: ({ recorded, name }, { recorded: state }) => recorded === undefined && summariesOf(state, name).some(hasFailed),
  }),
  rule({
    on: "status and failureMessage in status.clusterInfo of EventTriggers",
    because: "Sveltos says Provisioned although the event could not be answered (observed)",
    kinds: ["EventTrigger"],
    path: /^status\.clusterInfo\[[^\]]+\]\.(status|failureMessage)$/,
    when: (difference, situation) => {
      const { recorded, got, path } = difference;
      const isTold = path.endsWith(".status") ? recorded === "Provisioned" && got === "Failed" : recorded === undefined && isText(got);
      const { our } = sidesOf(difference, situation);
      return isTold && our !== undefined && failsInRecord(our, situation);
    },
  }),
  rule({
    on: "phase of EventReports in managed clusters",
    because: "tells whether the report was fetched; Sveltos leaves it waiting while a trigger fails, which our triggers tell",
    kinds: ["EventReport"],
    in: "managed",
    path: /^status\.phase$/,
    when: (difference, situation) => {
      const source = stringAt(sidesOf(difference, situation).our, "spec.eventSourceName", "");
      return difference.recorded === "WaitingForDelivery" && difference.got === "Processed" && isTroubled(source, situation);
    },
  }),
];

/** What works here and not in Sveltos. */
const better: readonly Rule[] = [
  rule({
    on: "EventReports of EventSources that fail on an object, and what is made of them",
    because: "the other objects go on; in Sveltos a bad one freezes the source (issue)",
    when: (difference, situation) => {
      const { kind, path, recorded } = difference;
      if (kind === "EventReport") {
        return /^spec\.(matchingResources|resources)/.test(path) && isOfFailingSource(sidesOf(difference, situation).our, situation);
      }
      if (kind === "ClusterConfiguration") return isEntryOf(difference, situation, isOfFailingSource);
      return path === "" && recorded === undefined && isOfFailingSource(objectOf(difference), situation);
    },
  }),
  rule({
    on: "what is made of event templates with quotes",
    because: "each key is rendered by itself; Sveltos renders all of them as one JSON text, which quotes break (observed)",
    when: (difference, situation) => {
      const { kind, path, recorded, cluster } = difference;
      if (kind === "ClusterConfiguration") return isEntryOf(difference, situation, isOfQuotedTemplate);
      if (path === "") return recorded === undefined && isOfQuotedTemplate(objectOf(difference), situation);
      const isShown = cluster !== "management" || quoted[kind]?.test(path) === true;
      return isShown && isOfQuotedTemplate(sidesOf(difference, situation).our, situation);
    },
  }),
  rule({
    on: "objects of a profile that lost another to a conflict",
    because: "it keeps the ones that nobody else wants; Sveltos removes them (observed, issue)",
    in: "managed",
    path: /^$/,
    when: (difference, situation) => difference.recorded === undefined && isKeptInConflict(difference, situation),
  }),
  rule({
    on: "ClusterConfiguration and deployedGVKs of such a profile",
    because: "list the objects that it keeps",
    kinds: ["ClusterConfiguration", "ClusterSummary"],
    path: /^status\.(clusterProfileResources\[[^\]]+\]\.Features|deployedGVKs)/,
    when: (difference, situation) => difference.recorded === undefined && isOfWhatIsKept(difference, situation),
  }),
];

/** The fields in which it shows what a template was rendered to. */
const quoted: Readonly<Record<string, RegExp>> = {
  ConfigMap: /^(data|metadata\.annotations)\./,
  ClusterProfile: /^status\.failedClusters$/,
  ClusterSummary: /^status\.featureSummaries\[\w+\]\.(status|failureMessage|consecutiveFailures)$/,
};

/** What users may write. */
const inputs: readonly Rule[] = [
  rule({
    on: "manifests of API version v1alpha1",
    because: "are accepted: those of older versions work as they are (issue)",
    kinds: ["Input"],
    path: /^refusal$/,
    when: ({ recorded, got }) =>
      got === undefined && /no matches for kind "\w+" in version "(lib|config)\.projectsveltos\.io\/v1alpha1"/.test(String(recorded)),
  }),
];

export const rules: readonly Rule[] = [...keeping, ...ownership, ...failures, ...better, ...inputs];
