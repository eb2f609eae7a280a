import type { ObjectRef } from "../../core/object/index.ts";
import type { OrderingConstraints } from "../order/index.ts";
import type { PlanInput, Refused } from "./plan-input.ts";

const annotation = "the annotation werf.io/delete-policy: before-creation-if-immutable";

/** What is lost when an object of this kind is replaced, and how to do without, by group and kind. */
const losses: Readonly<Record<string, { readonly instead: string; readonly lost: string }>> = {
  "/PersistentVolumeClaim": { instead: "copy the data to a claim of another name", lost: "all data of the claim is lost" },
  "apiextensions.k8s.io/CustomResourceDefinition": {
    instead: "define a kind of another name",
    lost: "all custom resources of the kind are deleted",
  },
};

/** The objection to a change of an immutable field, with its remedy. Undefined when the object is kept, or may be replaced. */
export function immutableObjection(
  { group, kind }: ObjectRef,
  { deletePolicies, keep }: OrderingConstraints,
  refused: Refused,
  { operation }: PlanInput,
): Refused | undefined {
  if (keep.recreate || deletePolicies.includes("before-creation-if-immutable")) return undefined;
  const loss = losses[`${group}/${kind}`];
  const remedy = loss === undefined ? remedyFor(operation) : `${remedyWithout(loss, operation)}, and ${loss.lost}`;
  return { ...refused, because: `${refused.because}: ${remedy}` };
}

/** A rollback applies recorded manifests, which nobody can edit: there the object has to go first. */
function remedyFor(operation: PlanInput["operation"]): string {
  return operation === "rollback"
    ? `delete the object and run the same command again, or deploy the earlier manifests with ${annotation}`
    : `leave the field as it is, or let it be replaced with ${annotation}`;
}

function remedyWithout({ instead }: { readonly instead: string }, operation: PlanInput["operation"]): string {
  return operation === "rollback"
    ? `deploy the earlier manifests with this field as it is now, or ${instead}; this command works after the object is deleted`
    : `leave the field as it is, or ${instead}; ${annotation} replaces the object`;
}
