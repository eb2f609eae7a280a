import type { KubeObject } from "../../core/object/index.ts";
import { capManagers } from "./cap-managers.ts";
import { decodeManagedFields, encodeManagedFields, managerIdentifierOf, isReset } from "./managed-fields-entry.ts";
import {
  joinVersionedSets,
  liveOrBlank,
  rulesFor,
  stripMeta,
  titleOfObject,
  withManagedFields,
  type ManagedWrite,
} from "./managed-kind.ts";
import type { ManagedFields, VersionedSet, TypedValue } from "./versioned-set.ts";
import { updaterUpdate } from "./updater.ts";
import { typedErrorText, validateTyped } from "./validate-typed.ts";

export type ManagedUpdate = ManagedWrite & {
  /** The object as it is to be stored. */
  readonly next: KubeObject;
  /** The object is known to fit its type. Default false. */
  readonly fits?: boolean;
  /** Called when the object does not fit its type: it then loses its managedFields, as on a real server. */
  readonly onTypedError?: (message: string) => void;
};

/**
 * The object that a create, update or patch is about to store, with its managedFields up to date. It runs before
 * mutating admission. Models FieldManager.UpdateNoErrors
 */
export function updateManaged(request: ManagedUpdate): KubeObject {
  const { kind, live, next, manager, subresource } = request;
  const before = managedBefore(request);
  // An object without managers stays so until the first apply.
  if (before.size === 0 && live !== undefined) return withManagedFields(next, undefined);
  const after = withManagedFields(next, live?.metadata.managedFields);
  const errors = request.fits === true ? [] : validateTyped(after, kind.type, { duplicates: true, known: live });
  if (errors.length > 0) {
    request.onTypedError?.(`failed to convert new object (${titleOfObject(next)}) to smd typed: ${typedErrorText(errors)}`);
    return withManagedFields(next, undefined);
  }
  const identity = {
    manager: manager === "" ? "unknown" : manager,
    operation: "Update",
    apiVersion: kind.apiVersion,
    subresource,
  } as const;
  const managers = managersAfterWrite(
    request,
    liveOrBlank(request),
    { value: after, type: kind.type },
    before,
    managerIdentifierOf(identity),
  );
  return withManagedFields(next, encodeManagedFields(managers, live?.metadata.managedFields));
}

/** The managedFields that the write starts from: those in the object, if a client sent valid ones. */
function managedBefore({ live, next, subresource = "" }: ManagedUpdate): ManagedFields {
  const sent = subresource === "" ? next.metadata.managedFields : undefined;
  const stored = live?.metadata.managedFields;
  if (sent === undefined || sent === stored) return decoded(stored) ?? nobody;
  if (isReset(sent)) return nobody;
  const given = decoded(sent);
  return given === undefined || given.size === 0 ? (decoded(stored) ?? nobody) : given;
}

const nobody: ManagedFields = new Map();

/** Undecodable entries count as absent. */
function decoded(entries: KubeObject["metadata"]["managedFields"]): ManagedFields | undefined {
  try {
    return decodeManagedFields(entries);
  } catch (problem) {
    if (problem instanceof SyntaxError) return undefined;
    throw problem;
  }
}

/**
 * The managers after `after` has been written over `before`. The writer's time changes only if it changed a field.
 * Models internal/managedfieldsupdater.go and the managers it wraps
 */
export function managersAfterWrite(
  write: ManagedWrite,
  before: TypedValue,
  after: TypedValue,
  managers: ManagedFields,
  identifier: string,
): ManagedFields {
  // Under its own name the writer would keep what it owned before.
  const current = "current-operation";
  const left = new Map<string, VersionedSet>(updaterUpdate(before, after, write.kind.apiVersion, managers, current, rulesFor(write)));
  const changed = stripMeta(left, current);
  left.delete(current);
  if (changed === undefined) return left;
  left.set(identifier, { ...joinVersionedSets(changed, left.get(identifier)), time: write.time });
  return capManagers(left);
}
