import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { OrderingConstraints, Need } from "../order/index.ts";
import type { LiveFacts, PlanInput, DesiredManifest } from "./plan-input.ts";
import { liveOf, type StageMember } from "./stage-member.ts";
import { objectionToPruneCrd, objectionToPrune, type PruneContext } from "./objection-to-prune.ts";
import type { Plan } from "./plan.ts";
import { takesPodsAlong } from "./propagation.ts";

/** An object that left the release. */
export type PruneCandidate = {
  readonly item: DesiredManifest;
  readonly ref: ObjectRef;
  readonly key: string;
  readonly constraints: OrderingConstraints;
  readonly live: LiveFacts;
};

/**
 * Splits what left the release into what is pruned and what is kept. Objects that do not exist are in neither,
 * except workloads whose pods may be left.
 *
 * An object that takes no part in this operation has left too: a resource that became a hook of another event, or that
 * is for installs only. As a hook it would never be pruned. Models helm pkg/kube/client.go Update, which ignores hooks,
 * and werf's deploy-on.
 */
export function pruneCandidates(
  input: PlanInput,
  members: readonly StageMember[],
): { readonly pruned: readonly PruneCandidate[]; readonly kept: Plan["kept"] } {
  if (input.operation === "test") return { pruned: [], kept: [] };
  const wanted = new Set(input.operation === "delete" ? [] : members.map(({ key }) => key));
  const left = (input.previous ?? []).filter(({ ref, constraints }) => !constraints.hook && !wanted.has(keyOf(ref)));
  const candidates = left
    .map(({ item, ref, constraints }, at): PruneCandidate => ({
      item,
      ref,
      key: keyOf(ref),
      constraints,
      live: liveOf(left[at]!, input.live),
    }))
    .filter((candidate) => candidate.live.exists || mayHavePods(candidate, input));
  const context = pruneContext(input, members);
  const objections = new Map(candidates.map((candidate) => [candidate.key, objectionToPrune(candidate, context)]));
  const free = new Set(candidates.filter(({ key }) => objections.get(key) === undefined).map(({ key }) => key));
  for (const candidate of candidates) {
    const objection = objections.get(candidate.key) ?? objectionToPruneCrd(candidate, free, input);
    objections.set(candidate.key, objection);
  }
  const kept = candidates.flatMap(({ key, ref, live }) => {
    const because = objections.get(key);
    return because === undefined || !live.exists ? [] : [{ ref, because }];
  });
  return { pruned: candidates.filter(({ key }) => objections.get(key) === undefined), kept };
}

/** A workload that is gone may have been deleted by the run that this one continues. */
function mayHavePods(candidate: PruneCandidate, { background }: PlanInput): boolean {
  return background?.continued === true && takesPodsAlong(candidate);
}

function pruneContext(input: PlanInput, members: readonly StageMember[]): PruneContext {
  const deploys = input.operation !== "delete";
  return {
    input,
    wantedUids: new Set(members.flatMap(({ live }) => (deploys && live.uid !== undefined ? [live.uid] : []))),
    inhabited: new Set(deploys ? input.desired.map(({ ref }) => ref.namespace) : []),
  };
}

/** Needs on the absence of other objects: they move the pruning before the main resources. */
export function absenceNeeds(members: readonly StageMember[]): readonly { readonly member: StageMember; readonly need: Need }[] {
  return members.flatMap((member) =>
    member.constraints.needs.filter(({ gate, external }) => gate.until === "absent" && !external).map((need) => ({ member, need })),
  );
}
