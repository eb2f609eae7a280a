import { compareTimes, managerIdentifierOf } from "./managed-fields-entry.ts";
import { setUnion } from "./field-set.ts";
import { withSet, type ManagedFields, type VersionedSet } from "./versioned-set.ts";
import { compareText } from "./value.ts";

/** The maximum number of Update managers; the oldest beyond that are merged. */
const maxWriters = 10;

/** Merges the oldest Update managers into `ancient-changes`, one for each version. Models internal/capmanagers.go */
export function capManagers(managers: ManagedFields): ManagedFields {
  if (managers.size <= maxWriters) return managers;
  const writers = [...managers].filter(([, { applied }]) => !applied).map(([name]) => name);
  if (writers.length <= maxWriters) return managers;
  writers.sort((a, b) => compareTimes(managers.get(a)?.time, managers.get(b)?.time) || compareText(a, b));

  const result = new Map<string, VersionedSet>(managers);
  const firstOf = new Map<string, string>();
  let count = writers.length;
  for (const name of writers) {
    if (count <= maxWriters) break;
    const owned = result.get(name)!;
    const first = firstOf.get(owned.version);
    if (first === undefined) {
      firstOf.set(owned.version, name);
      continue;
    }
    const bucket = managerIdentifierOf({ manager: "ancient-changes", operation: "Update", apiVersion: owned.version });
    const into = result.get(bucket) ?? result.get(first)!;
    if (!result.has(bucket)) result.delete(first);
    result.delete(name);
    // The time is that of the newest change.
    result.set(bucket, withSet(owned, setUnion(owned.set, into.set)));
    count--;
  }
  return result;
}
