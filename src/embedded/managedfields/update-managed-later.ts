import { isFields, type KubeObject } from "../../core/object/index.ts";
import { deferEntries, isDeferred } from "./deferred-entries.ts";
import { decodeManagedFields } from "./managed-fields-entry.ts";
import { withManagedFields } from "./managed-kind.ts";
import { updateManaged, type ManagedUpdate } from "./update-managed.ts";

/**
 * The same as `updateManaged`, for a write of an object that fits its type. Its managedFields are computed when somebody reads them,
 * where it is certain that there are some: a manager owns a field outside of the status then.
 */
export function updateManagedLater(request: ManagedUpdate): KubeObject {
  const { live, next } = request;
  const before = live?.metadata.managedFields;
  const entries = leavesOwner(request) ? deferEntries(() => updateManaged(request).metadata.managedFields ?? [], before) : undefined;
  return entries === undefined ? updateManaged(request) : withManagedFields(next, entries);
}

/** Whether the write certainly leaves a manager that owns a field outside of the status. */
function leavesOwner({ kind: { apiVersion }, live, next, subresource = "" }: ManagedUpdate): boolean {
  const { managedFields } = next.metadata;
  if (live === undefined) return managedFields === undefined && isFields(next["spec"]) && Object.keys(next["spec"]).length > 0;
  const before = live.metadata.managedFields;
  if (before === undefined || managedFields !== before) return false;
  if (subresource === "status") return changesOnlyStatus(live, next) && hasOwnerOutsideStatus(before, apiVersion);
  return hasOwnerOutsideStatus(before, apiVersion) && setsFieldOf(live["spec"], next["spec"]);
}

function changesOnlyStatus(live: KubeObject, next: KubeObject): boolean {
  for (const name in next) if (name !== "status" && next[name] !== live[name]) return false;
  for (const name in live) if (name !== "status" && next[name] === undefined) return false;
  return true;
}

/** Whether the writer comes to own a plain field of the spec, because it sets it anew. */
function setsFieldOf(before: unknown, after: unknown): boolean {
  if (before === after || !isFields(before) || !isFields(after)) return false;
  return Object.entries(after).some(([name, value]) => value !== undefined && typeof value !== "object" && value !== before[name]);
}

/** Managers of versions that are not served are dropped by any write. */
function hasOwnerOutsideStatus(entries: NonNullable<KubeObject["metadata"]["managedFields"]>, apiVersion: string): boolean {
  if (isDeferred(entries)) return true;
  try {
    for (const { set, version } of decodeManagedFields(entries).values())
      if (version === apiVersion && Object.keys(set).some((element) => element !== "f:status")) return true;
    return false;
  } catch (problem) {
    if (problem instanceof SyntaxError) return false;
    throw problem;
  }
}
