import { fieldsAt, numberAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { invalid, type FieldError } from "../../field-error.ts";
import { nonNegative } from "./check.ts";
import { coreMetaUpdate } from "./meta.ts";

/** How the counters of a workload's status are held against each other: each of `within` may not be more than what is named. */
export type Counters = { readonly counts: readonly string[]; readonly within?: readonly (readonly [string, string, string])[] };

function counterErrors(status: Fields, { counts, within = [] }: Counters): readonly FieldError[] {
  const tooMany = within.filter(([name, whole]) => numberAt(status, name, 0) > numberAt(status, whole, 0));
  return [
    ...counts.flatMap((name) => nonNegative(status, name, "status")),
    ...tooMany.map(([name, , whole]) => invalid(`status.${name}`, numberAt(status, name, 0), `cannot be greater than ${whole}`)),
  ];
}

/** The rules for a workload's status: metadata, then counters, then the collisions, which are only ever added to. */
export function statusRules(counters: Counters): (object: KubeObject, live: KubeObject) => readonly FieldError[] {
  return (object, live) => {
    const status = fieldsAt(object, "status");
    const [collisions, before] = [numberAt(status, "collisionCount", 0), numberAt(live, "status.collisionCount", 0)];
    const fewer = collisions < before ? [invalid("status.collisionCount", collisions, "cannot be decremented")] : [];
    return [...coreMetaUpdate(object, live), ...counterErrors(status, counters), ...fewer];
  };
}
