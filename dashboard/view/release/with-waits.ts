import type { ReleaseChain, ReleaseEdge, ReleaseNode } from "../../../src/dashboard/api/index.ts";

type Way = {
  readonly cause: string;
  readonly length: number;
  readonly isFailed: boolean;
  /** The next node on the way; undefined for the cause itself. */
  readonly next?: { readonly id: string; readonly because: string };
};

/** Nodes with what each of them waits for, and the first causes. */
type WaitingNodes = { readonly nodes: readonly ReleaseNode[]; readonly chains: readonly ReleaseChain[] };

/**
 * Says of nodes in the order of their plan what they wait for, by their states alone, as of a recorded time: what has not begun
 * waits for a failed object before it rather than for a slow one, and by the longest way.
 */
export function withWaits(nodes: readonly ReleaseNode[], edges: readonly ReleaseEdge[]): WaitingNodes {
  const before = Map.groupBy(edges, ({ to }) => to);
  const ways = new Map<string, Way>();
  for (const node of nodes) {
    const way = wayOf(node, before.get(node.id) ?? [], ways);
    if (way !== undefined) ways.set(node.id, way);
  }
  const chains = chainsOf(nodes, ways);
  const causes = new Set(chains.map(({ cause }) => cause));
  return { nodes: nodes.map((node) => withWay(node, ways.get(node.id), causes.has(node.id))), chains };
}

function wayOf({ id, state }: ReleaseNode, before: readonly ReleaseEdge[], ways: ReadonlyMap<string, Way>): Way | undefined {
  if (state === "ready" || state === "gone") return undefined;
  if (state === "failed" || state === "progressing") return { cause: id, length: 0, isFailed: state === "failed" };
  const candidates = before.flatMap(({ from, because }): readonly Way[] => {
    const found = ways.get(from);
    return found === undefined ? [] : [{ ...found, length: found.length + 1, next: { id: from, because } }];
  });
  return candidates.reduce<Way | undefined>((best, way) => (best === undefined || isBetter(way, best) ? way : best), undefined);
}

function isBetter(a: Way, b: Way): boolean {
  return a.isFailed === b.isFailed ? a.length > b.length : a.isFailed;
}

function withWay(node: ReleaseNode, way: Way | undefined, isCause: boolean): ReleaseNode {
  if (isCause) return { ...node, isFirstCause: true };
  return way?.next === undefined ? node : { ...node, waitsFor: way.next };
}

function chainsOf(nodes: readonly ReleaseNode[], ways: ReadonlyMap<string, Way>): readonly ReleaseChain[] {
  const reasons = new Map(nodes.map(({ id, because = "" }) => [id, because]));
  const blocked = nodes.filter(({ id, role }) => role !== "join" && ways.get(id)?.next !== undefined);
  const byCause = Map.groupBy(blocked, ({ id }) => ways.get(id)!.cause);
  const chains = [...byCause].map(([cause, those]): ReleaseChain => {
    const furthest = those.reduce((a, b) => (ways.get(b.id)!.length > ways.get(a.id)!.length ? b : a));
    return { type: "chain", cause, because: reasons.get(cause) ?? "", blocked: those.length, nodes: along(furthest.id, ways) };
  });
  return chains.toSorted((a, b) => b.blocked - a.blocked);
}

function along(id: string, ways: ReadonlyMap<string, Way>): readonly string[] {
  const chain = [id];
  for (let next = ways.get(id)?.next; next !== undefined && chain.length <= ways.size; next = ways.get(next.id)?.next) chain.push(next.id);
  return chain;
}
