import { titleOf } from "../../core/object/index.ts";
import type { RecordedStep, Recording } from "../../release/recording/index.ts";
import { stateAt, type ReleaseEdge } from "../api/index.ts";
import { withJoins, type GraphProgress, type NodeProgress } from "./live-states.ts";
import type { PlanGraph, PlanNode } from "./plan-graph.ts";
import { nodeIdOf, replayOf } from "./replay-of.ts";

/** The graph of a plan with what its recording has beside it, such as objects that were removed since. */
export function withRecordedNodes(graph: PlanGraph, { runs }: Recording): PlanGraph {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const nodeOfStep = new Map(graph.nodeOfStep);
  const edges: ReleaseEdge[] = [];
  for (const step of runs.flatMap(({ steps }) => steps)) {
    if (step.verb === "record" || nodeOfStep.has(step.id)) continue;
    const id = nodeIdOf(step);
    nodeOfStep.set(step.id, id);
    if (nodes.has(id)) continue;
    nodes.set(id, nodeOf(step, id));
    const before = step.after === undefined ? undefined : nodeOfStep.get(step.after.id);
    if (before !== undefined && before !== id && nodes.has(before))
      edges.push({ type: "edge", from: before, to: id, because: step.after!.because, gate: "" });
  }
  return { nodes: [...nodes.values()], edges: [...graph.edges, ...edges], nodeOfStep };
}

function nodeOf({ ref, stage = "main", rank = 0, hook }: RecordedStep, id: string): PlanNode {
  const { group, version, kind, namespace, name } = ref;
  const role = id.startsWith("gone/") ? "removal" : "object";
  const place = { type: "node", id, role, stage, rank } as const;
  return { ...place, ref: { group, version, kind, namespace, name }, title: titleOf(ref), ...(hook === undefined ? {} : { hook }) };
}

/** How far the nodes were when a recording ended. */
export function recordedProgressOf(recording: Recording, graph: PlanGraph): GraphProgress {
  const replay = replayOf(recording, graph.nodeOfStep);
  const states = stateAt(replay, replay.lengthMs);
  const nodes = graph.nodes.map(({ id }): [string, NodeProgress] => [id, states.get(id) ?? { state: "ready" }]);
  return { nodes: withJoins(new Map(nodes), graph), chains: [] };
}
