import { fieldsAt, numberAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldInvalid, type FieldError } from "../../field-error.ts";
import { checkNonNegative } from "./field-checks.ts";
import { validateCoreObjectMetaUpdate } from "./object-meta.ts";

/** How the counters of a workload's status limit each other: the first counter of each `within` may not exceed the second. */
type StatusCounters = { readonly counts: readonly string[]; readonly within?: readonly (readonly [string, string, string])[] };

function counterErrors(status: Fields, { counts, within = [] }: StatusCounters): readonly FieldError[] {
  const tooMany = within.filter(([name, whole]) => numberAt(status, name, 0) > numberAt(status, whole, 0));
  return [
    ...counts.flatMap((name) => checkNonNegative(status, name, "status")),
    ...tooMany.map(([name, , whole]) => fieldInvalid(`status.${name}`, numberAt(status, name, 0), `cannot be greater than ${whole}`)),
  ];
}

/** The rules for a workload's status: metadata, then counters, then collisionCount, which never decreases. */
export function workloadStatusRules(counters: StatusCounters): (object: KubeObject, live: KubeObject) => readonly FieldError[] {
  return (object, live) => {
    const status = fieldsAt(object, "status");
    const [collisions, before] = [numberAt(status, "collisionCount", 0), numberAt(live, "status.collisionCount", 0)];
    const fewer = collisions < before ? [fieldInvalid("status.collisionCount", collisions, "cannot be decremented")] : [];
    return [...validateCoreObjectMetaUpdate(object, live), ...counterErrors(status, counters), ...fewer];
  };
}
