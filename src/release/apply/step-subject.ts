import { titleOf, type ObjectRef } from "../../core/object/index.ts";
import type { StepSubject } from "../index.ts";
import type { Action, Step } from "../plan/index.ts";
import { storageName } from "../record/index.ts";

/** Steps that handle a failure run only when another step has failed. */
export function handlesFailure({ onlyIf }: Step): boolean {
  return onlyIf !== undefined;
}

export function stepSubjectOf({ id, action, stage, rank }: Step): StepSubject {
  if (action.verb === "join") throw new TypeError(`${id} reports no progress`);
  const until = action.verb === "await" ? action.gates[0]?.until : undefined;
  return { verb: action.verb, ref: refOfAction(action), id, stage, rank, ...(until === undefined || until === "ready" ? {} : { until }) };
}

/** The Secret that Helm keeps the record in. */
function refOfAction(action: Exclude<Action, { verb: "join" }>): ObjectRef {
  if (action.verb !== "record") return action.ref;
  const name = storageName(action.release, action.revision);
  return { group: "", version: "v1", kind: "Secret", namespace: action.namespace, name };
}

export function stepNameOf({ action }: Step): string {
  if (action.verb === "join") return action.what;
  return action.verb === "record" ? `the record of ${action.release}` : titleOf(action.ref);
}
