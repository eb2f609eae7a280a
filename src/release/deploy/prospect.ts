import { keyOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { together, type Sensitive } from "../conceal/index.ts";
import type { Ordered } from "../order/index.ts";
import type { Wanted } from "../plan/index.ts";
import type { Survey } from "../live/index.ts";
import type { Basis } from "./basis.ts";

/** An object that a plan touches, as it is and as a dry run leaves it, and what of it is nobody's business. */
export type Prospect = {
  readonly ref: ObjectRef;
  readonly live?: KubeObject;
  readonly next?: KubeObject;
  readonly sensitive: Sensitive;
};

/** What is sensitive by what is wanted or by what was, is so in both. */
export function prospectsOf(
  { objects: touched }: Basis,
  { objects }: Survey,
  ...versions: readonly (readonly Ordered<Wanted>[])[]
): readonly Prospect[] {
  const sensitive = new Map<string, Sensitive>();
  for (const { ref, claims } of versions.flat()) {
    const known = sensitive.get(keyOf(ref));
    sensitive.set(keyOf(ref), known === undefined ? claims.sensitive : together(known, claims.sensitive));
  }
  return touched.map(({ ref }) => ({ ref, ...objects.get(keyOf(ref)), sensitive: sensitive.get(keyOf(ref)) ?? none }));
}

const none: Sensitive = { whole: false, paths: [] };
