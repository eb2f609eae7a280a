import { someCycle } from "../../graph/index.ts";
import { keyOf, type ObjectRef } from "../../object/index.ts";
import type { Need, Operation, Ordered, Target } from "./claim.ts";
import type { ImpliedNeed } from "./implied.ts";
import { targetText } from "./match.ts";
import { comesBefore, operations, sequenceOf } from "./sequence.ts";

/** One step of a cycle: who waits for whom, and the need that says so; without one it follows from their places. */
export type Link = { readonly from: string; readonly to: string; readonly need?: Need };

type Find = (target: Target) => readonly ObjectRef[];

/** Edges to what is needed, and the needs behind those that somebody wrote or that the manifests imply. */
type Graph = { readonly needs: Map<string, Set<string>>; readonly behind: Map<string, Need> };

/** More cycles than these are left for the next look. */
const mostCycles = 20;

/** The cycles that written needs make, with each other or with the places of their objects; each as its links. */
export function cyclesIn(ordered: readonly Ordered<unknown>[], find: Find): readonly (readonly Link[])[] {
  const cycles = new Map<string, readonly Link[]>();
  const written = ordered.some(({ claims }) => claims.needs.some(({ external }) => !external));
  const graphs = [
    ...(written ? distinctOperations(ordered).map((operation) => withWritten(ordered, sequenceOf(ordered, operation).needs, find)) : []),
    deletions(ordered, find),
  ];
  for (const graph of graphs) {
    for (let cycle = someCycle(graph.needs); cycle !== undefined && cycles.size < mostCycles; cycle = someCycle(graph.needs)) {
      const links = linksOf(cycle, graph);
      cycles.set(
        links
          .map(({ from, need }) => `${from} ${need?.because ?? ""}`)
          .toSorted()
          .join(),
        links,
      );
      cut(cycle, graph);
    }
  }
  return [...cycles.values()];
}

/** The operations that differ in who takes part where. */
export function distinctOperations(ordered: readonly Ordered<unknown>[]): readonly Operation[] {
  const seen = new Set<string>([ordered.map(() => "").join("|")]);
  return operations.filter((operation) => {
    const shape = ordered.map(({ claims }) => claims.stages[operation]?.join(" ") ?? "").join("|");
    return !seen.has(shape) && seen.add(shape);
  });
}

/** Adds the written needs on objects that take part. Many who need the same group share a node for it. */
function withWritten(ordered: readonly Ordered<unknown>[], needs: Map<string, Set<string>>, find: Find): Graph {
  const behind = new Map<string, Need>();
  for (const { ref, claims } of ordered) {
    if (!needs.has(keyOf(ref))) continue;
    for (const need of claims.needs) if (!need.external && need.implied !== true) connect(keyOf(ref), need, find, { needs, behind });
  }
  return { needs, behind };
}

function deletions(ordered: readonly Ordered<unknown>[], find: Find): Graph {
  const graph: Graph = { needs: new Map(ordered.map(({ ref }) => [keyOf(ref), new Set()])), behind: new Map() };
  for (const { ref, claims } of ordered) for (const need of claims.deletion.needs) connect(keyOf(ref), need, find, graph);
  return graph;
}

function connect(from: string, need: Need, find: Find, graph: Graph): void {
  const { needs, behind } = graph;
  const shared = `#all ${targetText(need.target)}`;
  const found = groupOf(shared, need, find, graph);
  // Whoever needs "all Jobs" and is one of them does not mean itself; whoever names but itself does.
  const meant = found.size > 1 && found.has(from) ? [...found].filter((key) => key !== from) : found.size > 1 ? [shared] : found;
  for (const to of meant) {
    needs.get(from)!.add(to);
    behind.set(edge(from, to), need);
  }
}

/** The objects that a need is about, as far as they take part, under one node. */
function groupOf(shared: string, need: Need, find: Find, { needs }: Graph): ReadonlySet<string> {
  let group = needs.get(shared);
  if (group === undefined) {
    group = new Set(
      find(need.target)
        .map(keyOf)
        .filter((key) => needs.has(key)),
    );
    needs.set(shared, group);
  }
  return group;
}

function edge(from: string, to: string): string {
  return `${from} > ${to}`;
}

/** A cycle without the nodes that are no objects, and without objects that merely stand between two places. */
function linksOf(cycle: readonly string[], { behind }: Graph): readonly Link[] {
  const needed = stepsOf(cycle).flatMap(([from, to, next]): Link[] => {
    const need = behind.get(edge(from, to));
    return need === undefined ? [] : [{ from, to: to.startsWith("#all ") ? next : to, need }];
  });
  return needed.flatMap((link, at) => {
    const following = needed[(at + 1) % needed.length]!;
    return following.from === link.to ? [link] : [link, { from: link.to, to: following.from }];
  });
}

/** Each id of a cycle with the two that follow it. */
function stepsOf(cycle: readonly string[]): readonly (readonly [string, string, string])[] {
  const ring = cycle.slice(0, -1);
  return ring.map((id, at) => [id, ring[(at + 1) % ring.length]!, ring[(at + 2) % ring.length]!]);
}

/** Takes the needs out of a cycle, so that another one is found. */
function cut(cycle: readonly string[], { needs, behind }: Graph): readonly Need[] {
  return stepsOf(cycle).flatMap(([from, to]) => {
    const need = behind.get(edge(from, to));
    if (need === undefined) return [];
    needs.get(from)!.delete(to);
    return [need];
  });
}

export type Dropped = { readonly from: string; readonly need: ImpliedNeed };

/** Rounds of looking for a cycle before all that is implied is given up. */
const mostRounds = 500;

/**
 * Parts the implied needs into those that can be kept and those that contradict what somebody wrote. Most contradict by
 * place alone, which is seen at a glance; the others are in a cycle.
 */
export function withoutContradictions(
  ordered: readonly Ordered<unknown>[],
  implied: ReadonlyMap<string, readonly ImpliedNeed[]>,
  find: Find,
): { readonly kept: ReadonlyMap<string, readonly ImpliedNeed[]>; readonly dropped: readonly Dropped[] } {
  const dropped = new Map<ImpliedNeed, Dropped>();
  const tangled = ordered.some(({ claims }) => claims.barrier || claims.needs.some(({ external }) => !external));
  for (const operation of distinctOperations(ordered)) {
    const { places, needs } = sequenceOf(ordered, operation);
    for (const [from, list] of implied) {
      for (const need of list) {
        const [own, other] = [places.get(from), places.get(keyOf(need.on))];
        if (own !== undefined && other !== undefined && comesBefore(own, other)) dropped.set(need, { from, need });
      }
    }
    if (tangled) for (const drop of dropsByCycle(withWritten(ordered, needs, find), implied, dropped)) dropped.set(drop.need, drop);
  }
  const kept = new Map([...implied].map(([from, list]) => [from, list.filter((need) => !dropped.has(need))]));
  return { kept, dropped: [...dropped.values()] };
}

function dropsByCycle(
  written: Graph,
  implied: ReadonlyMap<string, readonly ImpliedNeed[]>,
  dropped: ReadonlyMap<ImpliedNeed, Dropped>,
): readonly Dropped[] {
  const { needs } = written;
  const edges = new Map<string, Dropped>();
  for (const [from, list] of implied) {
    for (const need of list) {
      const to = keyOf(need.on);
      if (dropped.has(need) || !needs.has(from) || !needs.has(to) || needs.get(from)!.has(to)) continue;
      needs.get(from)!.add(to);
      edges.set(edge(from, to), { from, need });
    }
  }
  const drops: Dropped[] = [];
  for (let round = 0; round < mostRounds; round++) {
    const cycle = someCycle(needs);
    const guilty = cycle === undefined ? [] : stepsOf(cycle).flatMap(([from, to]) => edges.get(edge(from, to)) ?? []);
    // No cycle is left, or one that was written as it is, which is told elsewhere.
    if (guilty.length === 0) return drops;
    for (const drop of guilty) needs.get(drop.from)!.delete(keyOf(drop.need.on));
    drops.push(...guilty);
  }
  return [...edges.values()];
}
