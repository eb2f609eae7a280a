import { LruCache } from "../../core/cache/index.ts";
import type { ManagedFieldsEntry } from "../../core/object/index.ts";
import { resolvedEntries } from "./deferred-entries.ts";
import { parseFieldsV1 } from "./fields-v1.ts";
import type { ManagedFields, VersionedSet } from "./versioned-set.ts";
import { compareText, goJsonString } from "./value.ts";

type Operation = "Apply" | "Update";

type ManagerIdentity = {
  readonly manager: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
};

/**
 * The identifier of a manager: one for all versions with Apply, one for each version with Update. Models apimachinery
 * pkg/util/managedfields/internal BuildManagerIdentifier
 */
export function managerIdentifierOf({ manager, operation, apiVersion, subresource = "" }: ManagerIdentity): string {
  let text = `{"manager":${goJsonString(manager)},"operation":"${operation}"`;
  if (operation === "Update") text += `,"apiVersion":${goJsonString(apiVersion)}`;
  if (subresource !== "") text += `,"subresource":${goJsonString(subresource)}`;
  return `${text}}`;
}

/** There are few managers in a cluster, but clients may choose any names. */
const identities = new LruCache<string, Partial<ManagerIdentity>>({ maxEntries: 1000 });

/** Parses an identifier. */
export function managerIdentityOf(identifier: string): Partial<ManagerIdentity> {
  return identities.getOrCreate(identifier, (text) => JSON.parse(text) as Partial<ManagerIdentity>);
}

/** Decoded managedFields, so that none is decoded twice. */
const known = new WeakMap<readonly ManagedFieldsEntry[], ManagedFields>();

/** Decodes managedFields; throws for invalid entries. Models DecodeManagedFields */
export function decodeManagedFields(given: readonly ManagedFieldsEntry[] | undefined): ManagedFields {
  if (given === undefined || given === null) return new Map();
  const entries = resolvedEntries(given);
  const before = known.get(entries);
  if (before !== undefined) return before;
  const managers = new Map<string, VersionedSet>();
  for (const [at, entry] of entries.entries()) managers.set(...read(entry, at));
  known.set(entries, managers);
  return managers;
}

function read(entry: ManagedFieldsEntry, at: number): [string, VersionedSet] {
  const { operation, apiVersion = "", manager = "", subresource, time, fieldsType = "", fieldsV1 } = entry;
  if (operation !== "Apply" && operation !== "Update") throw new SyntaxError("operation must be `Apply` or `Update`");
  if (apiVersion === "") throw new SyntaxError("apiVersion must not be empty");
  if (fieldsType === "") throw new SyntaxError(`missing fieldsType in managed fields entry ${at}`);
  if (fieldsType !== "FieldsV1") throw new SyntaxError(`invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${at}`);
  const identifier = managerIdentifierOf({ manager, operation, apiVersion, subresource });
  const set = parseFieldsV1(fieldsV1);
  return [identifier, { set, version: apiVersion, applied: operation === "Apply", time, entry: set === fieldsV1 ? entry : undefined }];
}

/**
 * Encodes managedFields: sorted entries, unchanged ones reused; undefined without managers, and `before` when nothing
 * changes. Models encodeManagedFields
 */
export function encodeManagedFields(
  managers: ManagedFields,
  before: readonly ManagedFieldsEntry[] | undefined,
): readonly ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  const encoded: ManagedFieldsEntry[] = [];
  const written = new Map<string, VersionedSet>();
  for (const [identifier, owned] of managers) {
    const entry = owned.entry !== undefined && owned.entry.time === owned.time ? owned.entry : entryFor(identifier, owned);
    encoded.push(entry);
    written.set(identifier, entry === owned.entry ? owned : { ...owned, entry });
  }
  if (encoded.length > 1) encoded.sort(compareEntries);
  if (before?.length === encoded.length && encoded.every((entry, at) => entry === before[at])) return before;
  known.set(encoded, written);
  return encoded;
}

function entryFor(identifier: string, { set, version, applied, time }: VersionedSet): ManagedFieldsEntry {
  const { manager = "", operation = "Update", subresource = "" } = managerIdentityOf(identifier);
  const entry: { -readonly [Key in keyof ManagedFieldsEntry]: ManagedFieldsEntry[Key] } = {};
  // In the order in which a server writes them.
  if (manager !== "") entry.manager = manager;
  entry.operation = applied ? "Apply" : operation;
  entry.apiVersion = version;
  if (time !== undefined) entry.time = time;
  entry.fieldsType = "FieldsV1";
  entry.fieldsV1 = set;
  if (subresource !== "") entry.subresource = subresource;
  return entry;
}

/** Apply before Update, the oldest first. Models sortEncodedManagedFields */
function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    compareText(a.operation ?? "", b.operation ?? "") ||
    compareTimes(a.time, b.time) ||
    compareText(a.manager ?? "", b.manager ?? "") ||
    compareText(a.apiVersion ?? "", b.apiVersion ?? "") ||
    compareText(a.subresource ?? "", b.subresource ?? "")
  );
}

/** Compares to the second; a missing time comes first. */
export function compareTimes(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a?.length === inSeconds && b?.length === inSeconds) return compareText(a, b);
  return secondsOf(a) - secondsOf(b);
}

/** The length of `2030-01-01T00:00:00Z`; such times sort as text. */
const inSeconds = 20;

function secondsOf(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

/** Whether a client resets managedFields: by an empty list, or by one with one empty entry. */
export function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  if (entries === undefined || entries === null) return false;
  if (entries.length > 1) return false;
  return Object.values(entries[0] ?? {}).every((value) => value === undefined || value === null || value === "");
}
