import { failureReasonIn, isUnfinished } from "../../release/record/index.ts";
import { why, type RolloutStatus, type WaitingObject } from "../../release/why/index.ts";
import type { NodeState, ReleaseChain, ReleaseNode } from "../api/index.ts";
import type { PlanGraph } from "./plan-graph.ts";
import { waitLinksOf, type WaitLinks } from "./wait-links.ts";

/** What changes of a node while its plan runs. */
export type NodeProgress = Pick<ReleaseNode, "state" | "because" | "isFirstCause" | "waitsFor">;

/** How far the nodes of a plan are, and what holds them up. */
export type GraphProgress = { readonly nodes: ReadonlyMap<string, NodeProgress>; readonly chains: readonly ReleaseChain[] };

/** How far the nodes are by the live objects. */
export function liveProgressOf(rollout: RolloutStatus, graph: PlanGraph): GraphProgress {
  const explanation = why(rollout);
  const links = waitLinksOf(explanation);
  const waiting = new Map(explanation.waiting.map((each) => [each.id, each]));
  const causes = new Set(links.chains.map(({ cause }) => cause));
  const nodes = graph.nodes.map(({ id, role }) => {
    const found = waiting.get(id);
    if (found === undefined) return [id, { state: role === "removal" ? "gone" : "ready" }] as const;
    return [id, progressOf(found, links, causes.has(id), rollout)] as const;
  });
  return { nodes: withJoins(new Map(nodes), graph), chains: links.chains };
}

function progressOf(waiting: WaitingObject, links: WaitLinks, isCause: boolean, rollout: RolloutStatus): NodeProgress {
  const waitsFor = links.next.get(waiting.id);
  return {
    state: stateOf(waiting, waitsFor !== undefined, rollout),
    because: clipped(waiting.because),
    ...(isCause ? { isFirstCause: true } : {}),
    ...(waitsFor === undefined ? {} : { waitsFor }),
  };
}

function stateOf(waiting: WaitingObject, isBlocked: boolean, rollout: RolloutStatus): NodeState {
  if (waiting.state === "failed" || failureReasonIn(rollout, waiting.ref) !== undefined) return "failed";
  const isAtWork = rollout.holder !== undefined && !rollout.holder.silent;
  if (isBlocked) return isUnfinished(rollout) ? "waiting" : "skipped";
  if (waiting.lacks === "ready" || isAtWork) return waiting.state === "missing" && !isAtWork ? "gone" : "progressing";
  if (isUnfinished(rollout)) return "waiting";
  return waiting.state === "missing" ? "gone" : "progressing";
}

/** A join is passed when all before it are. */
export function withJoins(nodes: ReadonlyMap<string, NodeProgress>, graph: PlanGraph): ReadonlyMap<string, NodeProgress> {
  const joins = new Set(graph.nodes.filter(({ role }) => role === "join").map(({ id }) => id));
  if (joins.size === 0) return nodes;
  const before = Map.groupBy(
    graph.edges.filter(({ to }) => joins.has(to)),
    ({ to }) => to,
  );
  const states = new Map(nodes);
  // Nodes are in the order of the plan, in which a join is behind all that it joins.
  for (const id of joins) {
    const isPassed = (before.get(id) ?? []).every(({ from }) => ["ready", "gone"].includes(states.get(from)?.state ?? "ready"));
    states.set(id, { state: isPassed ? "ready" : "waiting" });
  }
  return states;
}

/** Reasons are read by people. */
const maxTextLength = 2_000;

function clipped(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}
