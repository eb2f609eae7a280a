import type { KubeObject } from "../../core/object/index.ts";
import { isPlaceholderChart, isUnfinished, type LeaseHolder, type Revision } from "../../release/record/index.ts";
import { revisionRecordedIn, type Recording } from "../../release/recording/index.ts";
import { whyUnrecorded } from "../../release/status/index.ts";
import { revisionOutline } from "../../view/index.ts";
import type { NodeState, ReleaseHead } from "../api/index.ts";
import type { GraphProgress } from "./live-states.ts";

type HeadInput = {
  readonly chosen: Revision;
  readonly isLatest: boolean;
  readonly revisions: readonly Revision[];
  readonly recordings: readonly KubeObject[];
  readonly recording: Recording | Error | undefined;
  readonly holder: LeaseHolder | undefined;
  readonly progress: GraphProgress;
};

export function releaseHeadOf({ chosen, isLatest, revisions, recordings, recording, holder, progress }: HeadInput): ReleaseHead {
  const { namespace, name, revision, state, description } = chosen;
  const chart = isPlaceholderChart(chosen.chart) ? "" : revisionOutline(chosen).chart;
  const recorded = new Set(recordings.map((each) => revisionRecordedIn(each)?.revision));
  const unrecorded =
    recording instanceof Error ? recording.message : recording === undefined ? whyUnrecorded(revision, revisions) : undefined;
  return {
    type: "head",
    namespace,
    name,
    revision,
    isLatest,
    state,
    status: statusOf(chosen, isLatest, holder, progress),
    description,
    ...(chart === "" ? {} : { chart }),
    ...(holder === undefined ? {} : { holder: { name: holder.name, sinceMs: Date.parse(holder.since), isSilent: holder.silent } }),
    ...(unrecorded === undefined ? {} : { unrecorded }),
    revisions: revisions
      .map((each) => ({
        revision: each.revision,
        state: each.state,
        description: each.description,
        ...timeOf(each),
        isRecorded: recorded.has(each.revision),
      }))
      .toReversed(),
  };
}

function timeOf({ lastDeployed, stored }: Revision): { readonly atMs?: number } {
  const recorded = Date.parse(lastDeployed ?? "");
  const atMs = Number.isNaN(recorded) ? Number(stored?.createdAt) * 1000 : recorded;
  return Number.isFinite(atMs) ? { atMs } : {};
}

/** The state of a release in the words of its objects. */
function statusOf(chosen: Revision, isLatest: boolean, holder: LeaseHolder | undefined, { nodes }: GraphProgress): NodeState {
  const { state } = chosen;
  if (state === "failed" || state === "unknown") return "failed";
  if (state === "uninstalled") return "gone";
  if (isUnfinished(chosen)) return isLatest && holder !== undefined && !holder.silent ? "progressing" : "waiting";
  if (!isLatest) return "ready";
  const states = new Set([...nodes.values()].map((each) => each.state));
  if (states.has("failed")) return "failed";
  return ["progressing", "waiting"].some((each) => states.has(each as NodeState)) ? "progressing" : "ready";
}
