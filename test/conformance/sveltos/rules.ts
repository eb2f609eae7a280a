/**
 * What Sluice does differently from Sveltos 0.51.1 on purpose. Every rule is on kinds and fields, as narrow as can be, and
 * says why; what falls under none is a bug.
 */
import { isFields, stringAt } from "../../../src/object/index.ts";
import {
  annotation,
  failsInRecord,
  featuresOf,
  hasFailed,
  isOfFailingSource,
  isOfQuotedTemplate,
  listsNothing,
  ofKind,
  profileAt,
  sidesOf,
  summariesOf,
} from "./evidence.ts";
import { rule, type Rule } from "./rule.ts";

const isSha256 = (value: unknown) => typeof value === "string" && Buffer.from(value, "base64").length === 32;
const isText = (value: unknown) => typeof value === "string" && value !== "";
const isCount = (value: unknown) => typeof value === "number" && value > 0;

/** What both have, and Sluice words, counts or keeps otherwise. */
const forms: readonly Rule[] = [
  rule("ConfigMaps sveltos-agent-version and clustersharding-addonmanager-helm", "Sveltos' bookkeeping between its own parts", {
    kinds: ["ConfigMap"],
    path: /^$/,
    when: ({ name, got }) => got === undefined && /^projectsveltos\/(sveltos-agent-version|clustersharding-addonmanager-helm)$/.test(name),
  }),
  rule("hashes in EventTrigger, ClusterSummary status", "fingerprints of what was last seen, each program's own; nothing else reads them", {
    kinds: ["EventTrigger", "ClusterSummary"],
    path: /^status\.(clusterInfo\[[^\]]+\]\.hash|featureSummaries\[\w+\]\.hash|helmReleaseSummaries\[\d+\]\.valuesHash)$/,
    when: ({ recorded, got }) => isSha256(recorded) && isSha256(got),
  }),
  rule("observedGeneration in EventTrigger, ClusterProfile, Profile status", "tells whether the status is about what was last written", {
    kinds: ["EventTrigger", "ClusterProfile", "Profile"],
    path: /^status\.observedGeneration$/,
    when: ({ recorded, got }) => recorded === undefined && isCount(got),
  }),
  rule("EventSource status in the management cluster", "Sveltos has none; ours tells what matches, what failed and why (issue)", {
    kinds: ["EventSource"],
    in: "management",
    path: /^status$/,
    when: ({ recorded }) => recorded === undefined,
  }),
  rule("ClusterSummary status.releases", "what was deployed, and which hooks have run, is kept there (issue)", {
    kinds: ["ClusterSummary"],
    path: /^status\.releases$/,
    when: ({ recorded }) => recorded === undefined,
  }),
  rule(
    "ClusterProfile status.updatedClusters",
    "Sveltos has an empty one on some profiles and not on others, by chance of timing (observed)",
    {
      kinds: ["ClusterProfile"],
      path: /^status\.updatedClusters$/,
      when: ({ recorded, got }) =>
        [recorded, got].every((value) => value === undefined || (isFields(value) && Object.keys(value).length === 0)),
    },
  ),
  rule("ClusterSummary labels", "follow the profile's; Sveltos copies them once, when the summary is made (spec 1.6)", {
    kinds: ["ClusterSummary"],
    path: /^metadata\.labels\./,
    when: (difference, situation) => {
      const key = difference.path.slice("metadata.labels.".length);
      const owner = sidesOf(difference, situation).our?.metadata.ownerReferences?.[0]?.name;
      const profile = ofKind(situation.recorded, "ClusterProfile").find(({ metadata }) => metadata.name === owner);
      return difference.got === profile?.metadata.labels?.[key];
    },
  }),
  rule("createdAt of Helm's records", "kept when a record is written again, where Helm forgets it", {
    kinds: ["Secret"],
    in: "managed",
    path: /^metadata\.labels\.createdAt$/,
    when: ({ recorded, got }) => recorded === undefined && /^\d+$/.test(String(got)),
  }),
];

/** Who owns what is deployed. */
const ownership: readonly Rule[] = [
  rule(
    "owner annotations of deployed objects",
    "what newer versions of Sveltos put there in the place of ownerReferences (issue, spec 4.4)",
    {
      in: "managed",
      path: /^metadata\.annotations\.projectsveltos\.io\/(reference-(kind|name|namespace|tier)|owner-(kind|name|namespace)|clustersummary|deploymenttype)$/,
      when: (difference, situation) => difference.recorded === undefined && isTrueOwnership(difference, situation),
    },
  ),
  rule("ownerReferences of deployed objects", "an owner that lives in another cluster is no owner there; the annotations name it (issue)", {
    in: "managed",
    path: /^metadata\.ownerReferences$/,
    when: (difference, situation) => {
      const { our } = sidesOf(difference, situation);
      const owners = Array.isArray(difference.recorded) ? difference.recorded : [];
      const [owner] = owners;
      const named = owners.length === 1 && owner.kind === annotation(our, "owner-kind") && owner.name === annotation(our, "owner-name");
      return difference.got === undefined && named;
    },
  }),
];

/** What a dry run shows: the same but for the marks of ownership. */
const dryRuns: readonly Rule[] = [
  rule(
    "ClusterReport messages",
    "the difference shows our marks of ownership, annotations and no ownerReferences, where Sveltos' shows its own",
    {
      kinds: ["ClusterReport"],
      path: /^status\.resourceReports\[[^\]]+\]\.message$/,
      when: ({ recorded, got }) => isText(recorded) && isText(got) && changesIn(String(recorded)) === changesIn(String(got)),
    },
  ),
];

/** The heading and the changed lines of a difference, without those that only say who owns the object. */
function changesIn(message: string): string {
  const changed = message.split("\n").filter((line) => /^[+-]/.test(line) && !/^[+-]\s+projectsveltos\.io\//.test(line));
  return changed.join("\n").replace(/^[+-]\s+ownerReferences:(\n[+-]\s+(- apiVersion|kind|name|uid): .*)+/m, "");
}

/** The annotations must say what the record says by labels and ownerReferences. */
const isTrueOwnership: NonNullable<Parameters<typeof rule>[2]["when"]> = (difference, situation) => {
  const { their, our } = sidesOf(difference, situation);
  const name = difference.path.slice("metadata.annotations.projectsveltos.io/".length);
  const owner = their?.metadata.ownerReferences?.[0];
  switch (name) {
    case "owner-kind":
      return difference.got === owner?.kind;
    case "owner-name":
      return difference.got === owner?.name;
    case "owner-namespace":
      return owner?.kind === "Profile" && isText(difference.got);
    case "reference-tier":
      return /^\d+$/.test(String(difference.got));
    case "clustersummary":
      return String(difference.got).endsWith(`-${difference.cluster}`);
    case "deploymenttype":
      return difference.got === "Remote";
    default:
      return difference.got === their?.metadata.labels?.[`projectsveltos.io/${name}`] && our !== undefined;
  }
};

/** Failures, which Sveltos shows in few places or none. */
const failures: readonly Rule[] = [
  rule(
    "failed features of ClusterSummaries: status",
    "stays Failed until it is tried again; Sveltos says Provisioning while it waits (observed)",
    {
      kinds: ["ClusterSummary"],
      path: /^status\.featureSummaries\[\w+\]\.status$/,
      when: (difference, situation) => {
        const { their, our } = featuresOf(difference, situation);
        return (
          difference.recorded === "Provisioning" &&
          String(difference.got).startsWith("Failed") &&
          isText(their["failureMessage"]) &&
          isText(our["failureMessage"])
        );
      },
    },
  ),
  rule("failed features of ClusterSummaries: failureMessage", "names the object, the file and the line (issue)", {
    kinds: ["ClusterSummary"],
    path: /^status\.featureSummaries\[\w+\]\.failureMessage$/,
    when: ({ recorded, got }) => isText(recorded) && isText(got),
  }),
  rule(
    "failed features of ClusterSummaries: consecutiveFailures",
    "tries are spaced out, or not made at all before something changes; Sveltos retries every 10 s",
    {
      kinds: ["ClusterSummary"],
      path: /^status\.featureSummaries\[\w+\]\.consecutiveFailures$/,
      when: ({ recorded, got }) => isCount(recorded) && isCount(got),
    },
  ),
  rule(
    "ClusterSummary lastAppliedTime and hash where nothing was applied",
    "they are of what was applied; what failed or is in DryRun was not",
    {
      kinds: ["ClusterSummary"],
      path: /^status\.featureSummaries\[\w+\]\.(lastAppliedTime|hash)$/,
      when: (difference, situation) => {
        const isDryRun = stringAt(sidesOf(difference, situation).our, "spec.clusterProfileSpec.syncMode") === "DryRun";
        return difference.got === undefined && (isDryRun || isText(featuresOf(difference, situation).our["failureMessage"]));
      },
    },
  ),
  rule("ClusterConfiguration Features that list nothing", "only what is deployed is listed", {
    kinds: ["ClusterConfiguration"],
    path: /^status\.(clusterProfileResources|profileResources)\[[^\]]+\]\.Features(\[\w+\])?$/,
    when: ({ recorded, got }) => got === undefined && listsNothing(recorded),
  }),
  rule("ClusterProfile status.failedClusters", "Sveltos says nothing in the profile of what fails in its clusters (issue)", {
    kinds: ["ClusterProfile", "Profile"],
    path: /^status\.failedClusters$/,
    when: ({ recorded, name }, { recorded: state }) => recorded === undefined && summariesOf(state, name).some(hasFailed),
  }),
  rule(
    "EventTrigger status.clusterInfo status and failureMessage",
    "Sveltos says Provisioned although the event could not be answered (observed, issue)",
    {
      kinds: ["EventTrigger"],
      path: /^status\.clusterInfo\[[^\]]+\]\.(status|failureMessage)$/,
      when: (difference, situation) => {
        const { our } = sidesOf(difference, situation);
        const isSaid = difference.path.endsWith("failureMessage")
          ? difference.recorded === undefined && isText(difference.got)
          : difference.recorded === "Provisioned" && difference.got === "Failed";
        return isSaid && our !== undefined && failsInRecord(our, situation);
      },
    },
  ),
];

/** What an event leads to here and not in Sveltos. */
const events: readonly Rule[] = [
  rule(
    "reports, and what is made of them, of EventSources that fail on one object",
    "the others go on; in Sveltos one bad object freezes the source (issue)",
    {
      when: (difference, situation) => {
        const { kind, path, got } = difference;
        if (kind === "EventReport")
          return /^spec\.(matchingResources|resources)/.test(path) && isOfFailingSource(sidesOf(difference, situation).our, situation);
        if (kind === "ClusterConfiguration")
          return difference.recorded === undefined && isOfFailingSource(profileAt(difference, situation), situation);
        return path === "" && difference.recorded === undefined && isKube(got) && isOfFailingSource(got, situation);
      },
    },
  ),
  rule(
    "what event templates with quotes lead to",
    "each key is rendered by itself; Sveltos renders all of them as one JSON text, which quotes break (observed)",
    {
      when: (difference, situation) => {
        const { kind, path, got, recorded } = difference;
        if (kind === "ClusterConfiguration" && path === "" && recorded === undefined) {
          return ofKind(situation.got, "ClusterProfile").some((profile) => isOfQuotedTemplate(profile, situation));
        }
        if (kind === "EventTrigger" || kind === "EventReport" || kind === "EventSource") return false;
        return isOfQuotedTemplate(path === "" && isKube(got) ? got : sidesOf(difference, situation).our, situation);
      },
    },
  ),
];

function isKube(value: unknown): value is Parameters<typeof isOfFailingSource>[0] {
  return isFields(value) && isFields(value["metadata"]);
}

/** Inputs. */
const inputs: readonly Rule[] = [
  rule("kinds of the API generation v1alpha1", "are served: older manifests work as they are (issue)", {
    kinds: ["Input"],
    path: /^refusal$/,
    when: ({ recorded, got }) =>
      got === undefined && /no matches for kind "\w+" in version "(lib|config)\.projectsveltos\.io\/v1alpha1"/.test(String(recorded)),
  }),
];

export const rules: readonly Rule[] = [...forms, ...ownership, ...dryRuns, ...failures, ...events, ...inputs];
