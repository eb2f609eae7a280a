import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { Plan } from "../plan/index.ts";

/** The objects that a plan changes or waits for, each once. */
export function planRefsOf({ steps, untouched = [] }: Plan): readonly ObjectRef[] {
  const refs = new Map<string, ObjectRef>();
  for (const { action } of [...steps, ...untouched]) if ("ref" in action) refs.set(keyOf(action.ref), action.ref);
  return [...refs.values()];
}
