import { laterGates, type StageMember } from "./stage-member.ts";
import { detailsOf, defaultTracking, reasonText, type PlanBuilder, type Frontier, type StageRank } from "./plan-builder.ts";
import type { Gate } from "../order/index.ts";
import type { StepNeed } from "./plan.ts";
import { propagationOf } from "./propagation.ts";

const absent: readonly Gate[] = [{ until: "absent" }];

/**
 * Deletes hooks and Jobs by their delete policies, after every object of the stage has ended in whatever way. In
 * reverse order, so that dependencies are deleted last.
 */
export function addCleanUpSteps(builder: PlanBuilder, place: StageRank, members: readonly StageMember[], end: Frontier): Frontier {
  const toDelete = members.filter(
    ({ constraints }) => !constraints.keep.delete && constraints.stage !== "crds" && policiesOf(constraints).length > 0,
  );
  if (toDelete.length === 0) return end;
  const over = toDelete.flatMap((member) => settled(lastStep(builder, member), reasonText(member, "must be over")));
  let before: readonly StepNeed[] = builder.join(`join/${place.stage}/over`, "whatever became of them", place, [
    ...end.map((need): StepNeed => ({ ...need, settled: true })),
    ...over,
  ]);
  const gone: StepNeed[] = [];
  for (const member of toDelete.toReversed()) {
    for (const policy of policiesOf(member.constraints)) {
      // A hook that does not run again has succeeded before.
      if (policy === "failed" && lastStep(builder, member) === undefined) continue;
      const id = deleteAfter(builder, member, policy, before);
      before = settled(id, "in reverse order");
      gone.push({ id, because: reasonText(member, "must be gone") });
    }
  }
  return builder.join(`join/${place.stage}/clean`, "what has done its part is gone", place, [...end, ...gone]);
}

function policiesOf({ deletePolicies }: StageMember["constraints"]): readonly ("succeeded" | "failed")[] {
  return deletePolicies.filter((policy) => policy === "succeeded" || policy === "failed");
}

/** The step whose outcome decides. An object with a delete policy is always waited for. */
function lastStep(builder: PlanBuilder, member: StageMember): string | undefined {
  const gates = laterGates(member.constraints);
  return builder.awaitStep(member, gates.length === 0 ? [{ until: "ready" }] : gates);
}

function settled(id: string | undefined, because: string): readonly StepNeed[] {
  return id === undefined ? [] : [{ id, because, settled: true }];
}

function deleteAfter(builder: PlanBuilder, member: StageMember, policy: "succeeded" | "failed", before: readonly StepNeed[]): string {
  const { stage, constraints, ref, key } = member;
  const place = { stage, rank: constraints.rank };
  const judged = lastStep(builder, member);
  const outcome = policy === "succeeded" ? ("finished" as const) : ("failed" as const);
  const onlyIf = judged === undefined ? {} : { onlyIf: { id: judged, outcome } };
  const more = { ...detailsOf(member), ...onlyIf };
  const id = `delete/${stage}/${constraints.rank}/${key}#${policy}`;
  builder.add(id, { verb: "delete", ref, propagation: propagationOf(member) }, place, before, more);
  const gone = `await/${stage}/${constraints.rank}/${key}#gone-${policy}`;
  const action = { verb: "await", ref, gates: absent, external: false, tracking: defaultTracking } as const;
  return builder.add(gone, action, place, [{ id, because: "deleted first" }], more);
}
