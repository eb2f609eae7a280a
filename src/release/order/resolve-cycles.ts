import { someCycle } from "../../core/graph/index.ts";
import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { Need, Operation, Ordered, NeedTarget } from "./ordering-constraints.ts";
import type { ImpliedNeed } from "./implied-needs.ts";
import { targetText } from "./target-finder.ts";
import { comesBefore, comparePositions, operations, sequenceOf, type SequencePosition } from "./operation-sequence.ts";

/** One edge of a cycle and its need; without a need, the edge follows from the positions. */
export type CycleLink = { readonly from: string; readonly to: string; readonly need?: Need };

/** An implied need that contradicts an annotation. */
export type DroppedNeed = { readonly from: string; readonly need: ImpliedNeed };

/** The implied needs of each object, by key. */
type ImpliedNeeds = ReadonlyMap<string, readonly ImpliedNeed[]>;

type ResolvedNeeds = {
  readonly kept: ImpliedNeeds;
  readonly dropped: readonly DroppedNeed[];
  /** Cycles of annotations, each as its links. */
  readonly cycles: readonly (readonly CycleLink[])[];
};

type Find = (target: NeedTarget) => readonly ObjectRef[];

/** Edges to what is needed, and the needs behind edges that do not follow from positions. */
type Graph = {
  readonly needs: Map<string, Set<string>>;
  readonly written: Map<string, Need>;
  readonly implied: Map<string, DroppedNeed>;
};

/** After this many cycles the search gives up: the reported ones have to be fixed first anyway. */
const maxRounds = 200;

/**
 * Finds the cycles of written needs, with each other or with positions, and drops implied needs that contradict them.
 * Most of those contradict a position alone, which needs no search.
 */
export function resolveCycles(ordered: readonly Ordered<unknown>[], implied: ImpliedNeeds, find: Find): ResolvedNeeds {
  const dropped = new Map<ImpliedNeed, DroppedNeed>();
  const cycles = new Map<string, readonly CycleLink[]>();
  const tangled = ordered.some(({ constraints }) => constraints.barrier || constraints.needs.some(({ external }) => !external));
  for (const operation of distinctOperations(ordered)) {
    const { positions, edges } = sequenceOf(ordered, operation);
    for (const droppedNeed of againstPositions(implied, positions)) dropped.set(droppedNeed.need, droppedNeed);
    if (!tangled || isInLine(ordered, (from) => implied.get(from)?.filter((need) => !dropped.has(need)), positions, find)) continue;
    const graph: Graph = { needs: edges(), written: new Map(), implied: new Map() };
    for (const { ref, constraints } of ordered)
      for (const need of constraints.needs) if (!need.external) connect(keyOf(ref), need, find, graph);
    for (const [from, list] of implied) for (const need of list) if (!dropped.has(need)) connectImplied(from, need, graph);
    for (const droppedNeed of cutCycles(graph, cycles)) dropped.set(droppedNeed.need, droppedNeed);
  }
  cutCycles(deletions(ordered, find), cycles);
  const kept = new Map([...implied].map(([from, list]) => [from, list.filter((need) => !dropped.has(need))]));
  return { kept, dropped: [...dropped.values()], cycles: [...cycles.values()] };
}

/** When every object needs only earlier ones there is no cycle. This holds for most releases and skips the search. */
function isInLine(
  ordered: readonly Ordered<unknown>[],
  impliedOf: (key: string) => readonly ImpliedNeed[] | undefined,
  places: ReadonlyMap<string, SequencePosition>,
  find: Find,
): boolean {
  // Needs with the same target share one list.
  const lasts = new Map<readonly ObjectRef[], SequencePosition | undefined>();
  const lastOf = (refs: readonly ObjectRef[]) => {
    if (!lasts.has(refs))
      lasts.set(
        refs,
        refs
          .flatMap((ref) => places.get(keyOf(ref)) ?? [])
          .toSorted(comparePositions)
          .at(-1),
      );
    return lasts.get(refs);
  };
  return ordered.every(({ ref, constraints }) => {
    const own = places.get(keyOf(ref));
    if (own === undefined) return true;
    const isBefore = (other: SequencePosition | undefined) => other === undefined || comparePositions(other, own) < 0;
    const written = constraints.needs.every(({ target, external }) => external || isBefore(lastOf(find(target))));
    return written && (impliedOf(keyOf(ref)) ?? []).every(({ on }) => isBefore(places.get(keyOf(on))));
  });
}

/** The operations with different participants; most releases have one. */
function distinctOperations(ordered: readonly Ordered<unknown>[]): readonly Operation[] {
  const seen = new Set<string>([ordered.map(() => "").join("|")]);
  return operations.filter((operation) => {
    const shape = ordered.map(({ constraints }) => constraints.stages[operation]?.join(" ") ?? "").join("|");
    return !seen.has(shape) && seen.add(shape);
  });
}

function againstPositions(implied: ImpliedNeeds, places: ReadonlyMap<string, SequencePosition>): readonly DroppedNeed[] {
  const drops: DroppedNeed[] = [];
  for (const [from, list] of implied) {
    for (const need of list) {
      const [own, other] = [places.get(from), places.get(keyOf(need.on))];
      if (own !== undefined && other !== undefined && comesBefore(own, other)) drops.push({ from, need });
    }
  }
  return drops;
}

function deletions(ordered: readonly Ordered<unknown>[], find: Find): Graph {
  const graph: Graph = { needs: new Map(), written: new Map(), implied: new Map() };
  if (ordered.every(({ constraints }) => constraints.deletion.needs.length === 0)) return graph;
  for (const { ref } of ordered) graph.needs.set(keyOf(ref), new Set());
  for (const { ref, constraints } of ordered) for (const need of constraints.deletion.needs) connect(keyOf(ref), need, find, graph);
  return graph;
}

/** Adds a written need. Needs with the same target share a node. */
function connect(from: string, need: Need, find: Find, graph: Graph): void {
  const { needs, written } = graph;
  const own = needs.get(from);
  if (own === undefined) return;
  const shared = `#all ${targetText(need.target)}`;
  const found = groupOf(shared, need, find, graph);
  // An object that needs a group and is part of it does not wait for itself. One that names only itself is a cycle.
  const meant = found.size > 1 && found.has(from) ? [...found].filter((key) => key !== from) : found.size > 1 ? [shared] : found;
  for (const to of meant) {
    own.add(to);
    written.set(edge(from, to), need);
  }
}

/** The objects of a target that take part, under one node. */
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

function connectImplied(from: string, need: ImpliedNeed, { needs, implied }: Graph): void {
  const to = keyOf(need.on);
  const own = needs.get(from);
  if (own === undefined || own.has(to) || !needs.has(to)) return;
  own.add(to);
  implied.set(edge(from, to), { from, need });
}

function edge(from: string, to: string): string {
  return `${from} > ${to}`;
}

/** Removes all cycles. Implied needs in a cycle are dropped; a cycle without any is reported. */
function cutCycles(graph: Graph, cycles: Map<string, readonly CycleLink[]>): readonly DroppedNeed[] {
  const drops: DroppedNeed[] = [];
  for (let round = 0; round < maxRounds; round++) {
    const cycle = someCycle(graph.needs);
    if (cycle === undefined) return drops;
    const steps = stepsOf(cycle);
    const dropped = steps.flatMap(([from, to]) => graph.implied.get(edge(from, to)) ?? []);
    for (const { from, need } of dropped) graph.needs.get(from)!.delete(keyOf(need.on));
    drops.push(...dropped);
    if (dropped.length > 0) continue;
    const links = linksOf(steps, graph);
    cycles.set(nameOf(links), links);
    for (const [from, to] of steps) if (graph.written.has(edge(from, to))) graph.needs.get(from)!.delete(to);
  }
  return [...drops, ...graph.implied.values()];
}

/** Each id of a cycle with its two successors. */
function stepsOf(cycle: readonly string[]): readonly (readonly [string, string, string])[] {
  const ring = cycle.slice(0, -1);
  return ring.map((id, at) => [id, ring[(at + 1) % ring.length]!, ring[(at + 2) % ring.length]!]);
}

/** The links of a cycle, without join nodes and without objects that only connect two positions. */
function linksOf(steps: readonly (readonly [string, string, string])[], { written }: Graph): readonly CycleLink[] {
  const needed = steps.flatMap(([from, to, next]): CycleLink[] => {
    const need = written.get(edge(from, to));
    return need === undefined ? [] : [{ from, to: to.startsWith("#all ") ? next : to, need }];
  });
  return needed.flatMap((link, at) => {
    const following = needed[(at + 1) % needed.length]!;
    return following.from === link.to ? [link] : [link, { from: link.to, to: following.from }];
  });
}

/** One name per cycle, wherever it is entered. */
function nameOf(links: readonly CycleLink[]): string {
  return links
    .map(({ from, need }) => `${from} ${need?.because ?? ""}`)
    .toSorted()
    .join();
}
