import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { Claims, Need } from "../order/index.ts";
import type { Live, PlanInput, Wanted } from "./input.ts";
import { liveOf, type Member } from "./member.ts";
import { objectionToDefinition, objectionToDelete, type Circumstances } from "./objection.ts";
import type { Plan } from "./plan.ts";

/** An object that left the release. */
export type Leaver = { readonly item: Wanted; readonly ref: ObjectRef; readonly key: string; readonly claims: Claims; readonly live: Live };

/**
 * Parts what left the release into what goes and what stays. What is gone already is neither.
 *
 * Who takes no part in this operation has left too: a resource that became a hook of another event, or that is for installs
 * only. As a hook nobody would ever remove it. Models helm pkg/kube/client.go Update, which knows no hooks, and werf's deploy-on.
 */
export function leaversOf(
  input: PlanInput,
  members: readonly Member[],
): { readonly going: readonly Leaver[]; readonly kept: Plan["kept"] } {
  if (input.operation === "test") return { going: [], kept: [] };
  const wanted = new Set(input.operation === "delete" ? [] : members.map(({ key }) => key));
  const left = (input.previous ?? []).filter(({ ref, claims }) => !claims.hook && !wanted.has(keyOf(ref)));
  const leavers = left
    .map(({ item, ref, claims }, at): Leaver => ({ item, ref, key: keyOf(ref), claims, live: liveOf(left[at]!, input.live) }))
    .filter(({ live }) => live.exists);
  const around = circumstances(input, members);
  const objections = new Map(leavers.map((leaver) => [leaver.key, objectionToDelete(leaver, around)]));
  const free = new Set(leavers.filter(({ key }) => objections.get(key) === undefined).map(({ key }) => key));
  for (const leaver of leavers) {
    const objection = objections.get(leaver.key) ?? objectionToDefinition(leaver, free, input);
    objections.set(leaver.key, objection);
  }
  const kept = leavers.flatMap(({ key, ref }) => {
    const because = objections.get(key);
    return because === undefined ? [] : [{ ref, because }];
  });
  return { going: leavers.filter(({ key }) => objections.get(key) === undefined), kept };
}

function circumstances(input: PlanInput, members: readonly Member[]): Circumstances {
  const deploys = input.operation !== "delete";
  return {
    input,
    wantedUids: new Set(members.flatMap(({ live }) => (deploys && live.uid !== undefined ? [live.uid] : []))),
    inhabited: new Set(deploys ? input.desired.map(({ ref }) => ref.namespace) : []),
  };
}

/** Needs on the absence of what leaves: they draw its removal before the main resources. */
export function absences(members: readonly Member[]): readonly { readonly member: Member; readonly need: Need }[] {
  return members.flatMap((member) =>
    member.claims.needs.filter(({ gate, external }) => gate.until === "absent" && !external).map((need) => ({ member, need })),
  );
}
