import type { KubeObject, ManagedFieldsEntry } from "../../core/object/index.ts";
import { withManagedFields } from "./managed-kind.ts";
import { sameValue } from "./value.ts";

/**
 * The object to be stored, or the live one if they differ only in the times of managedFields: defaulting and admission
 * may have reverted the changes of a write. Models endpoints/handlers/fieldmanager/equality.go
 * IgnoreManagedFieldsTimestampsTransformer
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
