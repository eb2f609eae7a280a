import type { KubeObject, ManagedFieldsEntry } from "../../core/object/index.ts";
import { withManagedFields } from "./managed-kind.ts";
import { sameValue } from "./value.ts";

/**
 * The object that is about to be stored, or the live one if they differ in nothing but the times of managedFields:
 * defaults and admission may have undone all that a write changed. Models
 * endpoints/handlers/fieldmanager/equality.go IgnoreManagedFieldsTimestampsTransformer
 */
export function ignoreManagedFieldsTimestamps(live: KubeObject, next: KubeObject): KubeObject {
  const before = live.metadata.managedFields ?? [];
  const after = next.metadata.managedFields ?? [];
  if (before.length === 0 || before.length !== after.length) return next;
  const same = after.every((entry, at) => entry === before[at] || sameValue(timeless(entry), timeless(before[at]!)));
  if (!same || !sameValue(withManagedFields(live, undefined), withManagedFields(next, undefined))) return next;
  return live;
}

function timeless(entry: ManagedFieldsEntry): ManagedFieldsEntry {
  const { time: _, ...rest } = entry;
  return rest;
}
