import { BadInput, nearestName } from "../../core/fault/index.ts";
import { matchesKind, parseResourceArg } from "../order/index.ts";
import type { ApplyAction, Plan } from "../plan/index.ts";

/** An object as a person names it: by its kind, or as kubectl takes it (`deploy`, `deployments.apps`). */
type TargetName = { readonly kind: string; readonly name: string };

/** The object of a plan that `flag` names, and its manifest. Throws when the plan applies none of that name. */
export function findTarget({ kind, name }: TargetName, flag: string, { steps }: Plan): Pick<ApplyAction, "ref" | "manifest"> {
  const applied = steps.flatMap(({ action }) => (action.verb === "apply" ? [action] : []));
  const resource = parseResourceArg(kind);
  const found = resource && applied.find(({ ref }) => ref.name === name && matchesKind(resource, ref));
  if (found !== undefined) return found;
  const names = [...new Set(applied.map(({ ref }) => `${ref.kind}/${ref.name}`))];
  const nearest = nearestName(`${kind}/${name}`, names);
  const there = nearest === undefined ? `it has ${names.slice(0, 10).join(", ")}${names.length > 10 ? ", …" : ""}` : `is ${nearest} meant?`;
  throw new BadInput([{ at: flag, message: `the plan applies no ${kind}/${name}: ${there}` }]);
}
