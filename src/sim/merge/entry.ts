import type { ManagedFieldsEntry } from "../../object/index.ts";
import type { FieldSet } from "./field-set.ts";
import { parseFieldsV1 } from "./fields-v1.ts";
import type { Managers, Owned } from "./owned.ts";
import { compareText, goJsonString } from "./value.ts";

/** What managedFields says, with the entries it was read from, which are used again as far as nothing changes. */
export type Managed = {
  readonly managers: Managers;
  readonly entries: ReadonlyMap<string, ManagedFieldsEntry>;
  readonly source: readonly ManagedFieldsEntry[];
};

export const nothingManaged: Managed = { managers: new Map(), entries: new Map(), source: [] };

type Operation = "Apply" | "Update";

export type Identity = {
  readonly manager: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
};

/**
 * The name under which a manager is kept: one for all versions where it applies, one for each where it writes.
 * Models apimachinery pkg/util/managedfields/internal BuildManagerIdentifier
 */
export function identifierOf({ manager, operation, apiVersion, subresource = "" }: Identity): string {
  let text = `{"manager":${goJsonString(manager)},"operation":"${operation}"`;
  if (operation === "Update") text += `,"apiVersion":${goJsonString(apiVersion)}`;
  if (subresource !== "") text += `,"subresource":${goJsonString(subresource)}`;
  return `${text}}`;
}

/** Reads an identifier again. */
export function identityOf(identifier: string): Partial<Identity> {
  return JSON.parse(identifier) as Partial<Identity>;
}

/** Reads managedFields; throws for entries that no server would have written. Models DecodeManagedFields */
export function decode(source: readonly ManagedFieldsEntry[] | undefined): Managed {
  if (source === undefined || source === null || source.length === 0) return nothingManaged;
  const managers = new Map<string, Owned>();
  const entries = new Map<string, ManagedFieldsEntry>();
  for (const [at, entry] of source.entries()) {
    const { operation, apiVersion = "", manager = "", subresource } = entry;
    if (operation !== "Apply" && operation !== "Update") throw new SyntaxError("operation must be `Apply` or `Update`");
    if (apiVersion === "") throw new SyntaxError("apiVersion must not be empty");
    checkFieldsType(entry, at);
    const identifier = identifierOf({ manager, operation, apiVersion, subresource });
    managers.set(identifier, { set: setOfEntry(entry), version: apiVersion, applied: operation === "Apply" });
    entries.set(identifier, entry);
  }
  return { managers, entries, source };
}

function checkFieldsType({ fieldsType = "" }: ManagedFieldsEntry, at: number): void {
  if (fieldsType === "FieldsV1") return;
  if (fieldsType === "") throw new SyntaxError(`missing fieldsType in managed fields entry ${at}`);
  throw new SyntaxError(`invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${at}`);
}

/** The sets of entries that have been read or made before, so that none is checked twice. */
const known = new WeakMap<ManagedFieldsEntry, FieldSet>();

function setOfEntry(entry: ManagedFieldsEntry): FieldSet {
  const before = known.get(entry);
  if (before !== undefined) return before;
  const set = parseFieldsV1(entry.fieldsV1);
  known.set(entry, set);
  return set;
}

/**
 * Writes managedFields: entries in their order, those that did not change the same as before; undefined when nobody
 * manages anything. `times` are those of the managers who just changed something. Models encodeManagedFields
 */
export function encode(
  managers: Managers,
  before: Managed,
  times: ReadonlyMap<string, string | undefined>,
): readonly ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  const encoded: ManagedFieldsEntry[] = [];
  for (const [identifier, owned] of managers) {
    const last = before.entries.get(identifier);
    const time = times.has(identifier) ? times.get(identifier) : last?.time;
    encoded.push(last !== undefined && isStill(last, owned, time) ? last : entryFor(identifier, owned, time));
  }
  if (encoded.length > 1) encoded.sort(compareEntries);
  const same = encoded.length === before.source.length && encoded.every((entry, at) => entry === before.source[at]);
  return same ? before.source : encoded;
}

function isStill(entry: ManagedFieldsEntry, owned: Owned, time: string | undefined): boolean {
  return known.get(entry) === owned.set && entry.apiVersion === owned.version && entry.time === time;
}

function entryFor(identifier: string, { set, version, applied }: Owned, time: string | undefined): ManagedFieldsEntry {
  const { manager = "", operation = "Update", subresource = "" } = identityOf(identifier);
  const entry: ManagedFieldsEntry = {
    ...(manager === "" ? {} : { manager }),
    operation: applied ? "Apply" : operation,
    apiVersion: version,
    ...(time === undefined ? {} : { time }),
    fieldsType: "FieldsV1",
    fieldsV1: set,
    ...(subresource === "" ? {} : { subresource }),
  };
  known.set(entry, set);
  return entry;
}

/** Appliers before writers, the oldest first. Models sortEncodedManagedFields */
function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    compareText(a.operation ?? "", b.operation ?? "") ||
    (a.time === b.time ? 0 : secondsOf(a.time) - secondsOf(b.time)) ||
    compareText(a.manager ?? "", b.manager ?? "") ||
    compareText(a.apiVersion ?? "", b.apiVersion ?? "") ||
    compareText(a.subresource ?? "", b.subresource ?? "")
  );
}

export function secondsOf(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

/** Tells whether a writer asks to forget who manages what: an empty list, or one with one empty entry. */
export function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  if (entries === undefined || entries === null) return false;
  if (entries.length > 1) return false;
  return Object.values(entries[0] ?? {}).every((value) => value === undefined || value === null || value === "");
}
