import { keyOf } from "../../core/object/index.ts";
import type { OrderingConstraints, Operation, Ordered, Stage } from "./ordering-constraints.ts";
import { compareKinds } from "./kind-order.ts";
import { stageOrder } from "./stage-order.ts";

/**
 * Compares objects of one stage: hooks by weight and name, as in Helm; resources by rank and kind. Equal objects keep
 * their document order.
 */
export function compareInStage(a: Ordered<unknown>, b: Ordered<unknown>): number {
  if (a.constraints.rank !== b.constraints.rank) return a.constraints.rank - b.constraints.rank;
  if (a.constraints.hook && b.constraints.hook && a.ref.name !== b.ref.name) return a.ref.name < b.ref.name ? -1 : 1;
  return compareKinds(a.ref.kind, b.ref.kind);
}

/** The position of an object in an operation. */
export type SequencePosition = {
  readonly stage: number;
  readonly rank: number;
  readonly index: number;
  readonly constraints: OrderingConstraints;
};

/** An operation, as far as constraints without needs order it. */
type OperationSequence = {
  /** The position of each object by key. An object that takes part twice has its first position. */
  readonly positions: ReadonlyMap<string, SequencePosition>;
  /** Builds the graph of what waits for what by position. Edges point to earlier positions. */
  readonly edges: () => Map<string, Set<string>>;
};

export const operations: readonly Operation[] = ["install", "upgrade", "rollback", "delete", "test"];

/** The sequence of an operation: stages, ranks with a join between them, barriers and hooks one by one. */
export function sequenceOf(ordered: readonly Ordered<unknown>[], operation: Operation): OperationSequence {
  const positions = new Map<string, SequencePosition>();
  const stages: { readonly stage: Stage; readonly members: readonly Ordered<unknown>[] }[] = [];
  for (const [at, stage] of stageOrder.entries()) {
    const members = ordered
      .filter(({ ref, constraints }) => constraints.stages[operation]?.includes(stage) === true && !positions.has(keyOf(ref)))
      .toSorted(compareInStage);
    if (members.length === 0) continue;
    stages.push({ stage, members });
    for (const [index, { ref, constraints }] of members.entries()) {
      positions.set(keyOf(ref), { stage: at, rank: constraints.rank, index, constraints });
    }
  }
  return { positions, edges: () => edgesOf(stages) };
}

function edgesOf(stages: readonly { readonly stage: Stage; readonly members: readonly Ordered<unknown>[] }[]): Map<string, Set<string>> {
  const needs = new Map<string, Set<string>>();
  let before = new Set<string>();
  for (const { stage, members } of stages) before = new Set([addStageEdges(members, stage, before, needs)]);
  return needs;
}

/** Nodes that are not objects begin with `#`, which no object key does. */
function addStageEdges(
  members: readonly Ordered<unknown>[],
  stage: Stage,
  before: ReadonlySet<string>,
  needs: Map<string, Set<string>>,
): string {
  const [start, end] = [`#${stage}`, `#${stage} end`];
  needs.set(start, new Set(before));
  const last = new Set<string>([start]);
  let after = start;
  for (const [rank, group] of Map.groupBy(members, ({ constraints }) => constraints.rank)) {
    const done = `#${stage} ${rank} end`;
    const whole = new Set<string>([after]);
    for (const { ref, constraints } of group) {
      const key = keyOf(ref);
      needs.set(key, new Set([constraints.unranked ? start : after]));
      (constraints.unranked ? last : whole).add(key);
      if (constraints.unranked || !(constraints.barrier || constraints.hook)) continue;
      needs.set(`#after ${stage} ${key}`, new Set([after, key]));
      after = `#after ${stage} ${key}`;
    }
    needs.set(done, whole.add(after));
    after = done;
  }
  needs.set(end, last.add(after));
  return end;
}

/** Compares positions within the sequence. */
export function comparePositions(a: SequencePosition, b: SequencePosition): number {
  return a.stage - b.stage || a.index - b.index;
}

/** Whether `one` can never follow `other`, because `other` comes later by position. */
export function comesBefore(one: SequencePosition, other: SequencePosition): boolean {
  if (one.stage !== other.stage) return one.stage < other.stage;
  if (one.constraints.unranked || other.constraints.unranked) return false;
  if (one.rank !== other.rank) return one.rank < other.rank;
  return one.index < other.index && (one.constraints.barrier || one.constraints.hook);
}
