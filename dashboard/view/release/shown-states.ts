import { stateAt, type NodeState, type ReleaseEdge, type ReleaseNode, type Replay } from "../../../src/dashboard/api/index.ts";

/** How far a node is, or was at a time of a replay. */
type ShownState = { readonly state: NodeState; readonly because?: string };

/** The nodes as they were at a time of a recorded operation. What held them up then is not known. */
export function nodesAt(replay: Replay, ms: number, nodes: readonly ReleaseNode[], edges: readonly ReleaseEdge[]): readonly ReleaseNode[] {
  const states = new Map<string, ShownState>(stateAt(replay, ms));
  const before = Map.groupBy(edges, ({ to }) => to);
  return nodes.map((node) => {
    const found = node.role === "join" ? joinState(before.get(node.id) ?? [], states) : states.get(node.id);
    const then = found ?? { state: node.role === "removal" ? "gone" : "ready" };
    states.set(node.id, then);
    const { state: _state, because: _because, isFirstCause: _cause, waitsFor: _waits, change: _change, ...rest } = node;
    return { ...rest, ...then };
  });
}

/** A join is passed when all before it are. */
function joinState(before: readonly ReleaseEdge[], states: ReadonlyMap<string, ShownState>): ShownState {
  const isPassed = before.every(({ from }) => ["ready", "gone"].includes(states.get(from)?.state ?? "ready"));
  return { state: isPassed ? "ready" : "waiting" };
}
