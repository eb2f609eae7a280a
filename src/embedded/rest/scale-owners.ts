import { isFields, type Json, type ManagedFieldsEntry } from "../../core/object/index.ts";

// The owners of a workload and of its Scale. Models apimachinery pkg/util/managedfields/scalehandler.go

type Entries = readonly ManagedFieldsEntry[];
type FieldTree = { readonly [element: string]: Json };

const scaleVersion = "autoscaling/v1";
const scaleFields = { "f:spec": { "f:replicas": {} } };

/** The owners of a Scale: those of the workload that own its replicas, which are at `path`. */
export function scaleOwners(entries: Entries, path: readonly string[]): Entries {
  return entries.filter((entry) => owns(entry, path)).map((entry) => ({ ...entry, apiVersion: scaleVersion, fieldsV1: scaleFields }));
}

/** The owners of the workload after a write to its Scale, whose own are `scaled`. `version` is that of the request. */
export function workloadOwners(entries: Entries, scaled: Entries, path: readonly string[], version: string): Entries {
  const left = new Map(scaled.filter((entry) => owns(entry, ["spec", "replicas"])).map((entry) => [identityOf(entry), entry]));
  const kept = entries.flatMap((entry): Entries => {
    if (!owns(entry, path)) return [entry];
    const identity = identityOf({ ...entry, apiVersion: scaleVersion });
    if (left.delete(identity)) return [entry];
    const fieldsV1 = without(fieldsOf(entry), path);
    return fieldsV1 === undefined ? [] : [{ ...entry, fieldsV1 }];
  });
  // A new owner has no time, as on a real server, and so it comes first.
  const added: Entries = [...left.values()].map(({ time: _time, ...entry }) => ({
    ...entry,
    apiVersion: version,
    fieldsV1: fieldsAt(path),
  }));
  return [...added, ...kept].toSorted((a, b) => compareText(a.operation, b.operation) || compareText(a.time, b.time));
}

function identityOf({ manager = "", operation = "", apiVersion = "", subresource = "" }: ManagedFieldsEntry): string {
  return JSON.stringify([manager, operation, operation === "Apply" ? "" : apiVersion, subresource]);
}

function fieldsOf({ fieldsV1 = {} }: ManagedFieldsEntry): FieldTree {
  return fieldsV1;
}

function owns(entry: ManagedFieldsEntry, path: readonly string[]): boolean {
  let at: unknown = fieldsOf(entry);
  for (const name of path) at = isFields(at) ? at[`f:${name}`] : undefined;
  return at !== undefined;
}

/** The fields without those at a path; undefined when nothing is left. */
function without(fields: FieldTree, [name = "", ...rest]: readonly string[]): FieldTree | undefined {
  const { [`f:${name}`]: found, ...others } = fields;
  const inner = rest.length === 0 || !isTree(found) ? undefined : without(found, rest);
  const left = inner === undefined ? others : { ...others, [`f:${name}`]: inner };
  return Object.keys(left).length === 0 ? undefined : left;
}

function compareText(a = "", b = ""): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isTree(value: Json | undefined): value is FieldTree {
  return isFields(value);
}

function fieldsAt(path: readonly string[]): FieldTree {
  return path.reduceRight<FieldTree>((inner, name) => ({ [`f:${name}`]: inner }), {});
}
