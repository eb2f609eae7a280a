import { keyOf } from "../../core/object/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { isUnfinished, latestOf, type LeaseHolder, type Revision } from "../../release/record/index.ts";
import { timelineOf, type Recording } from "../../release/recording/index.ts";
import type { ReleaseItem, ReleaseNode, ReleaseView } from "../api/index.ts";
import { LatestCall } from "./latest-call.ts";
import { liveProgressOf, type GraphProgress, type NodeProgress } from "./live-states.ts";
import type { PlanGraph } from "./plan-graph.ts";
import { RecordReader, type ReleaseRecords } from "./record-reader.ts";
import { recordedProgressOf, withRecordedNodes } from "./recorded-graph.ts";
import { releaseHeadOf } from "./release-head.ts";
import { nodeIdOf } from "./replay-of.ts";
import { RolloutReader } from "./rollout-reader.ts";
import { timelineItemsOf } from "./timeline-items.ts";

type Items = readonly (readonly [key: string, item: ReleaseItem])[];

/** What is shown of a release at one time. */
type ReleaseContent = {
  readonly items: Items;
  /** It changes by time alone: by a Lease that expires, or a grace period that ends. */
  readonly isUnsettled: boolean;
};

/** Reads what is shown of a release, again and again. Parts whose input has not changed are made once. */
export class ReleaseModel {
  readonly #view: ReleaseView;
  readonly #records: RecordReader;
  readonly #rollouts: RolloutReader;
  readonly #graphOf = new LatestCall(withRecordedNodes);
  readonly #timelineOf: LatestCall<[Recording, Revision, boolean], Items>;
  readonly #pathOf = new LatestCall(criticalKeysOf);
  readonly #changesOf = new LatestCall(changesOf);

  constructor(view: ReleaseView, cluster: Cluster, signal: AbortSignal) {
    this.#view = view;
    this.#records = new RecordReader(view, cluster);
    this.#rollouts = new RolloutReader(cluster, signal);
    this.#timelineOf = new LatestCall((recording, revision, isRunning) =>
      timelineItemsOf(recording, revision, { isRunning, nowMs: cluster.clock.now() }),
    );
  }

  /** Undefined when there is no such release, or no such revision of it. */
  async read(): Promise<ReleaseContent | undefined> {
    const records = await this.#records.read();
    const latest = latestOf(records.revisions);
    const { revision = latest?.revision } = this.#view;
    const chosen = records.revisions.find((each) => each.revision === revision);
    if (latest === undefined || chosen === undefined) return undefined;
    return this.#contentOf(chosen, chosen === latest, records);
  }

  async #contentOf(chosen: Revision, isLatest: boolean, { revisions, recordings }: ReleaseRecords): Promise<ReleaseContent> {
    const found = this.#records.recordingOf(chosen, recordings);
    const recording = found instanceof Error ? undefined : found;
    const { graph, progress, holder } = await this.#progressOf(chosen, isLatest, revisions, recording);
    const isAtWork = isLatest && holder !== undefined && !holder.silent;
    const isRunning = isAtWork && isUnfinished(chosen);
    const head = releaseHeadOf({ chosen, isLatest, revisions, recordings, recording: found, holder, progress });
    const timeline = recording === undefined ? [] : this.#timelineOf.with(recording, chosen, isRunning);
    const items: Items = [
      ["head", head],
      ...nodeItemsOf(graph, progress, this.#pathOf.with(recording), this.#changesOf.with(recording, graph)),
      ...graph.edges.map((edge) => [`edge/${edge.from} ${edge.to}`, edge] as const),
      ...progress.chains.map((chain) => [`chain/${chain.cause}`, chain] as const),
      ...timeline,
    ];
    return { items, isUnsettled: isLatest && (isUnfinished(chosen) || progress.chains.length > 0 || head.status === "progressing") };
  }

  async #progressOf(
    chosen: Revision,
    isLatest: boolean,
    revisions: readonly Revision[],
    recording: Recording | undefined,
  ): Promise<{ readonly graph: PlanGraph; readonly progress: GraphProgress; readonly holder?: LeaseHolder }> {
    const whole = (graph: PlanGraph) => (recording === undefined ? graph : this.#graphOf.with(graph, recording));
    if (isLatest && chosen.state !== "unknown") {
      const { rollout, graph: planned } = await this.#rollouts.rollout(revisions);
      const graph = whole(planned);
      return { graph, progress: liveProgressOf(rollout, graph), ...(rollout.holder === undefined ? {} : { holder: rollout.holder }) };
    }
    const upTo = revisions.filter(({ revision, state }) => revision <= chosen.revision && state !== "unknown");
    const graph = whole(chosen.state === "unknown" ? emptyGraph : await this.#rollouts.graph(upTo));
    return { graph, progress: recording === undefined ? unrecordedProgressOf(chosen, graph) : recordedProgressOf(recording, graph) };
  }
}

const emptyGraph: PlanGraph = { nodes: [], edges: [], nodeOfStep: new Map() };

function nodeItemsOf(graph: PlanGraph, { nodes }: GraphProgress, path: ReadonlySet<string>, changes: ReadonlyMap<string, string>): Items {
  return graph.nodes.map((node) => {
    const change = changes.get(node.id);
    const item: ReleaseNode = {
      ...node,
      ...(nodes.get(node.id) ?? { state: "ready" }),
      ...(change === undefined ? {} : { change }),
      ...(node.ref !== undefined && path.has(keyOf(node.ref)) ? { isOnCriticalPath: true } : {}),
    };
    return [`node/${node.id}`, item] as const;
  });
}

/** What the end of the latest run has waited for, or waits for so far. */
function criticalKeysOf(recording: Recording | undefined): ReadonlySet<string> {
  if (recording === undefined) return new Set();
  return new Set(timelineOf(recording).criticalPath.map(({ ref }) => keyOf(ref)));
}

/** How the recorded operation has changed each node. */
function changesOf(recording: Recording | undefined, { nodeOfStep }: PlanGraph): ReadonlyMap<string, string> {
  const applied = (recording?.runs ?? []).flatMap(({ steps }) =>
    steps.filter(({ verb, outcome }) => verb === "apply" && outcome === "finished"),
  );
  return new Map(
    applied.flatMap((step) => (step.because === undefined ? [] : [[nodeOfStep.get(step.id) ?? nodeIdOf(step), step.because]])),
  );
}

function unrecordedProgressOf({ state }: Revision, { nodes }: PlanGraph): GraphProgress {
  const isDone = state === "superseded" || state === "deployed";
  const progress: NodeProgress = isDone
    ? { state: "ready" }
    : { state: "waiting", because: "there is no recording of this revision, so nobody knows how far it came" };
  return { nodes: new Map(nodes.map(({ id }) => [id, progress])), chains: [] };
}
