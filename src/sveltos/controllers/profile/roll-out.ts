import type { ClusterId } from "../../api/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { clusterKeyOfSummary, clusterOfSummary, profileOwnerOf } from "./profile-key.ts";
import {
  finalUpdateFor,
  diffSummary,
  isDeleting,
  isProvisioned,
  withPauseOf,
  desiredSummary,
  type ValidProfile,
} from "./desired-summary.ts";

/** One ClusterSummary to write. */
export type SummaryWrite =
  | { readonly verb: "create"; readonly cluster: ClusterId; readonly object: KubeObject }
  /** With `counted` it first says that nothing is provisioned, so that Provisioned can only mean the new content. */
  | { readonly verb: "update"; readonly cluster: ClusterId; readonly object: KubeObject; readonly counted: boolean }
  /** What is to become of the content is written before, where the ClusterSummary does not say it yet. */
  | { readonly verb: "delete"; readonly cluster: ClusterId; readonly object: KubeObject; readonly farewell?: KubeObject | undefined };

export type RollOutInput = {
  readonly validProfile: ValidProfile;
  /** In the order in which they take their turns. */
  readonly matching: readonly ClusterId[];
  /** All that there are of this profile. */
  readonly summaries: readonly KubeObject[];
  /** Of a cluster that an update is due for: it is ready and not paused, so that the update can come to an end. */
  readonly canUpdate: (cluster: ClusterId) => boolean;
  /** The cluster is paused: nobody waits for it. */
  readonly isPaused: (cluster: ClusterId) => boolean;
  /** The fleet knows the cluster. What is to become of the others, this cannot tell. */
  readonly isKnown: (key: string) => boolean;
};

export type RollOut = {
  readonly steps: readonly SummaryWrite[];
  /** Of a profile with maxUpdate only: the clusters that have the profile as it is now, and those that are getting it. */
  readonly progress?: { readonly updating: readonly ClusterId[]; readonly updated: readonly ClusterId[] };
};

/** What is to be written now, so that each matching cluster has its ClusterSummary and the others lose theirs. */
export function rollOut(situation: RollOutInput): RollOut {
  const { validProfile, matching } = situation;
  const limit = limitOf(validProfile, matching.length);
  const removals = removalsIn(situation);
  const turns = clusterRollOutsIn(situation);
  if (limit === Infinity) return { steps: [...removals, ...turns.flatMap(({ step }) => step ?? [])] };
  const updating = turns.filter(({ state, cluster }) => state === "updating" && !situation.isPaused(cluster));
  const pending = turns.filter(({ state, cluster }) => state === "pending" && situation.canUpdate(cluster));
  // One that fails keeps its place, and so holds up those that have not begun.
  const next = pending.slice(0, Math.max(0, limit - updating.length));
  const touched = turns.filter(({ state }) => state !== "pending");
  return {
    steps: [
      ...removals,
      ...touched.flatMap(({ step }) => step ?? []),
      ...next.flatMap(({ step }) => (step === undefined ? [] : resettingStatus(step))),
    ],
    progress: {
      updating: [...updating, ...next].map(({ cluster }) => cluster),
      updated: turns.filter(({ state }) => state === "updated").map(({ cluster }) => cluster),
    },
  };
}

/**
 * How many clusters may be on the way at once; Infinity where nothing is said, or 0. A share is rounded up, so that there
 * is always one. A dry run changes nothing and needs no care.
 */
function limitOf({ profile: { maxUpdate, syncMode } }: ValidProfile, matching: number): number {
  const written = String(maxUpdate ?? 0);
  const number = Number(written.replace("%", ""));
  if (syncMode === "DryRun" || number === 0) return Infinity;
  return written.endsWith("%") ? Math.ceil((number * matching) / 100) : number;
}

/** Where one cluster stands. One whose ClusterSummary is still going waits for the end of that. */
type ClusterRollOut = {
  readonly cluster: ClusterId;
  readonly state: "updated" | "updating" | "pending" | "going";
  readonly step?: SummaryWrite;
};

function clusterRollOutsIn({ validProfile, matching, summaries }: RollOutInput): readonly ClusterRollOut[] {
  const there = new Map(summaries.map((summary) => [clusterKeyOfSummary(summary), summary]));
  return matching.map((cluster) => clusterRollOutOf(validProfile, cluster, there.get(clusterKey(cluster))));
}

function clusterRollOutOf(validProfile: ValidProfile, cluster: ClusterId, summary: KubeObject | undefined): ClusterRollOut {
  if (summary === undefined)
    return { cluster, state: "pending", step: { verb: "create", cluster, object: desiredSummary(validProfile, cluster) } };
  if (isDeleting(summary) || isOfEarlierProfile(validProfile.object, summary)) return { cluster, state: "going" };
  const gap = diffSummary(validProfile, cluster, summary);
  const step = gap.state === "none" ? {} : { step: { verb: "update", cluster, object: gap.object, counted: false } as const };
  if (gap.state === "spec") return { cluster, state: "pending", ...step };
  return { cluster, state: isProvisioned(summary) ? "updated" : "updating", ...step };
}

function resettingStatus(step: SummaryWrite): SummaryWrite {
  return step.verb === "update" ? { ...step, counted: true } : step;
}

function removalsIn({ validProfile, matching, summaries, isKnown }: RollOutInput): readonly SummaryWrite[] {
  const wanted = new Set(matching.map(clusterKey));
  const goes = (summary: KubeObject) => {
    const key = clusterKeyOfSummary(summary);
    return !isDeleting(summary) && isKnown(key) && (!wanted.has(key) || isOfEarlierProfile(validProfile.object, summary));
  };
  return summaries.filter(goes).map((summary) => removalOf(summary, validProfile.object));
}

/** Without a profile it is left to the ClusterSummary how it ends. */
export function removalOf(summary: KubeObject, profile?: KubeObject): SummaryWrite {
  const isOwn = profile !== undefined && !isOfEarlierProfile(profile, summary);
  const farewell = isOwn ? finalUpdateFor(profile, summary) : undefined;
  return { verb: "delete", cluster: clusterOfSummary(summary), object: summary, farewell };
}

/** What takes the pause of a profile to its ClusterSummaries, those that are going too, or the end of it. */
export function pauseWrites(profile: KubeObject, summaries: readonly KubeObject[]): readonly SummaryWrite[] {
  return summaries.flatMap((summary) => {
    const object = withPauseOf(profile, summary);
    return object === undefined ? [] : [{ verb: "update", cluster: clusterOfSummary(summary), object, counted: false }];
  });
}

/** It belongs to an earlier profile of the same name. */
function isOfEarlierProfile({ metadata }: KubeObject, summary: KubeObject): boolean {
  return profileOwnerOf(summary)?.uid !== metadata.uid;
}
