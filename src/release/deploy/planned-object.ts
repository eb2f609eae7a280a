import { keyOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { mergeSensitivity, type Sensitivity } from "../conceal/index.ts";
import type { Ordered } from "../order/index.ts";
import type { DesiredManifest } from "../plan/index.ts";
import type { LiveState } from "../live/index.ts";
import type { PlanBasis } from "./plan-basis.ts";

/** An object that a plan touches: live, as a dry run leaves it, and its sensitivity. */
export type PlannedObject = {
  readonly ref: ObjectRef;
  readonly live?: KubeObject;
  readonly next?: KubeObject;
  readonly sensitive: Sensitivity;
};

/** Merges the sensitivity of the desired and the previous manifest. */
export function plannedObjectsOf(
  { objects: touched }: PlanBasis,
  { objects }: LiveState,
  ...versions: readonly (readonly Ordered<DesiredManifest>[])[]
): readonly PlannedObject[] {
  const sensitive = new Map<string, Sensitivity>();
  for (const { ref, constraints } of versions.flat()) {
    const known = sensitive.get(keyOf(ref));
    sensitive.set(keyOf(ref), known === undefined ? constraints.sensitive : mergeSensitivity(known, constraints.sensitive));
  }
  return touched.map(({ ref }) => ({ ref, ...objects.get(keyOf(ref)), sensitive: sensitive.get(keyOf(ref)) ?? none }));
}

const none: Sensitivity = { whole: false, paths: [] };
