import type { KubeObject } from "../../core/object/index.ts";
import { capWriters } from "./cap.ts";
import { decode, encode, identifierOf, isReset } from "./entry.ts";
import { joined, liveOrBlank, rulesFor, strip, titleOfObject, withManagedFields, type Write } from "./managed-kind.ts";
import type { Managers, Owned, Typed } from "./owned.ts";
import { update } from "./updater.ts";
import { misfitText, validate } from "./validate.ts";

export type Update = Write & {
  /** The object as it is to be stored. */
  readonly next: KubeObject;
  /** The object is known to fit its type. Default false. */
  readonly fits?: boolean;
  /** Told when the object does not fit its type: it then loses its managedFields, as on a real server. */
  readonly onMisfit?: (message: string) => void;
};

/**
 * The object that a create, update or patch is about to store, with who manages its fields now. It comes before
 * mutating admission. Models FieldManager.UpdateNoErrors
 */
export function updateManaged(request: Update): KubeObject {
  const { kind, live, next, manager, subresource } = request;
  const before = managedBefore(request);
  // An object that nobody has managed so far stays so until somebody applies.
  if (before.size === 0 && live !== undefined) return withManagedFields(next, undefined);
  const after = withManagedFields(next, live?.metadata.managedFields);
  const misfits = request.fits === true ? [] : validate(after, kind.type, { duplicates: true, known: live });
  if (misfits.length > 0) {
    request.onMisfit?.(`failed to convert new object (${titleOfObject(next)}) to smd typed: ${misfitText(misfits)}`);
    return withManagedFields(next, undefined);
  }
  const identity = {
    manager: manager === "" ? "unknown" : manager,
    operation: "Update",
    apiVersion: kind.apiVersion,
    subresource,
  } as const;
  const managers = written(request, liveOrBlank(request), { value: after, type: kind.type }, before, identifierOf(identity));
  return withManagedFields(next, encode(managers, live?.metadata.managedFields));
}

/** The managedFields that the write starts from: those in the object itself, if a client sent any that make sense. */
function managedBefore({ live, next, subresource = "" }: Update): Managers {
  const sent = subresource === "" ? next.metadata.managedFields : undefined;
  const stored = live?.metadata.managedFields;
  if (sent === undefined || sent === stored) return decoded(stored) ?? nobody;
  if (isReset(sent)) return nobody;
  const given = decoded(sent);
  return given === undefined || given.size === 0 ? (decoded(stored) ?? nobody) : given;
}

const nobody: Managers = new Map();

/** What cannot be read counts as not there. */
function decoded(entries: KubeObject["metadata"]["managedFields"]): Managers | undefined {
  try {
    return decode(entries);
  } catch (problem) {
    if (problem instanceof SyntaxError) return undefined;
    throw problem;
  }
}

/**
 * Who manages what once `after` has been written over `before`. The writer's time changes only if it changed a field.
 * Models internal/managedfieldsupdater.go and what it stands on
 */
export function written(write: Write, before: Typed, after: Typed, managers: Managers, identifier: string): Managers {
  // Under its own name the writer would count as owner of what it wrote before.
  const current = "current-operation";
  const left = new Map<string, Owned>(update(before, after, write.kind.apiVersion, managers, current, rulesFor(write)));
  const changed = strip(left, current);
  left.delete(current);
  if (changed === undefined) return left;
  left.set(identifier, { ...joined(changed, left.get(identifier)), time: write.time });
  return capWriters(left);
}
