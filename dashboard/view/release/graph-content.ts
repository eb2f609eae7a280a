import type { ObjectName, ReleaseEdge, ReleaseNode, ReleaseTimeline } from "../../../src/dashboard/api/index.ts";
import type { GraphEdge, GraphNode } from "../../graph/index.ts";

/** A node as the graph draws it. `home` is the namespace of the release, which is not told. */
export function graphNodeOf(node: ReleaseNode, home: string): GraphNode {
  const { id, ref, title, state, because, stage, rank, isFirstCause } = node;
  const word = isFirstCause === true && state === "failed" ? { word: "failed: first cause" } : {};
  const place = { id, state, stage, rank, ...word, ...(because === undefined ? {} : { because }) };
  if (ref === undefined) return { ...place, title, subtitle: "all before it" };
  const elsewhere = ref.namespace === "" || ref.namespace === home ? "" : ` in ${ref.namespace}`;
  return { ...place, title: ref.name, subtitle: `${ref.kind}${elsewhere}`, badges: badgesOf(node) };
}

function badgesOf({ role, hook, change, isFirstCause }: ReleaseNode): readonly string[] {
  return [
    ...(hook === true ? ["hook"] : []),
    ...(role === "external" ? ["not of this release"] : []),
    ...(role === "removal" ? ["removed"] : []),
    ...(change === undefined || change === "" || isFirstCause === true ? [] : [change]),
  ];
}

export function graphEdgeOf({ from, to, gate, because }: ReleaseEdge): GraphEdge {
  return { from, to, ...(gate === "" ? {} : { gate }), ...(because === "" ? {} : { because }) };
}

/** Names an object over all stages. */
export function objectKey({ group, kind, namespace, name }: ObjectName): string {
  return [group, kind, namespace, name].join("/");
}

/** The nodes of each object, those that are removals last. */
export function nodesByObject(nodes: readonly ReleaseNode[]): ReadonlyMap<string, readonly ReleaseNode[]> {
  const objects = nodes
    .filter(({ ref }) => ref !== undefined)
    .toSorted((a, b) => Number(a.role === "removal") - Number(b.role === "removal"));
  return Map.groupBy(objects, ({ ref }) => objectKey(ref!));
}

/** The nodes that the end has waited for, first to last. */
export function criticalNodes(
  timeline: ReleaseTimeline | undefined,
  byObject: ReadonlyMap<string, readonly ReleaseNode[]>,
): readonly string[] {
  const ids = (timeline?.criticalPath ?? []).flatMap(({ ref, phase }) => {
    const nodes = byObject.get(objectKey(ref)) ?? [];
    return (phase === "delete" ? nodes.at(-1) : nodes[0])?.id ?? [];
  });
  return ids.filter((id, at) => id !== ids[at - 1]);
}
