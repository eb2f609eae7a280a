import { formatGoFloat } from "../scalar.ts";
import { mapTarget, type DecodeTarget } from "../parse/decode-target.ts";
import type { ResolvedScalar } from "../parse/resolve-scalar.ts";
import { unmarshalFirst, unmarshalTypeError } from "../unmarshal.ts";
import { fieldOf, metadataFields, topFields } from "./field.ts";
import { firstNonFiniteInHead } from "./non-finite.ts";
import { NonStringScalar } from "./non-string-scalar.ts";

/** The part of a manifest that Helm reads to sort it. */
export type ManifestHead = {
  readonly apiVersion: string;
  readonly kind: string;
  /** Undefined if the manifest has none. */
  readonly metadata: { readonly name: string; readonly annotations: ReadonlyMap<string, string> | undefined } | undefined;
};

const headTarget: DecodeTarget = {
  ...mapTarget,
  scalar: (resolved: ResolvedScalar) => (resolved.kind === "timestamp" ? resolved.value : new NonStringScalar(resolved)),
};

function keeps(depth: number, key: string): boolean {
  return depth > 2 || fieldOf(key, depth === 1 ? topFields : metadataFields) !== undefined;
}

const metadataType = 'struct { Name string "json:\\"name\\""; Annotations map[string]string "json:\\"annotations\\"" }';

/**
 * Parses the head of a manifest. go-yaml must accept the whole document, but only the head is built. Throws a YamlFault with the
 * message of `yaml.Unmarshal` into Helm's SimpleHead.
 */
export function headOf(text: string): ManifestHead {
  const value = unmarshalFirst(text, headTarget, { keeps, findNonFinite: () => firstNonFiniteInHead(text, headTarget) });
  const fields = { apiVersion: "", kind: "", metadata: undefined };
  if (value === null || (value instanceof NonStringScalar && value.isNull)) return fields;
  if (!(value instanceof Map)) throw unmarshalTypeError(typeOf(value), "Go value of type util.SimpleHead");
  return topOf(value as ReadonlyMap<string, unknown>);
}

/** Reads fields in the order of Go's encoder, so the last of several matching names wins. */
function topOf(map: ReadonlyMap<string, unknown>): ManifestHead {
  let apiVersion = "";
  let kind = "";
  let metadata: ManifestHead["metadata"];
  for (const [key, value] of sorted(map)) {
    const field = fieldOf(key, topFields);
    if (field === "apiVersion") apiVersion = textOf(value, "SimpleHead.apiVersion") ?? apiVersion;
    else if (field === "kind") kind = textOf(value, "SimpleHead.kind") ?? kind;
    else if (field === "metadata") metadata = metadataOf(value, metadata);
  }
  return { apiVersion, kind, metadata };
}

function metadataOf(value: unknown, before: ManifestHead["metadata"]): ManifestHead["metadata"] {
  if (value instanceof NonStringScalar && value.isNull) return undefined;
  if (!(value instanceof Map)) throw unmarshalTypeError(typeOf(value), `Go struct field SimpleHead.metadata of type ${metadataType}`);
  let name = before?.name ?? "";
  let annotations = before?.annotations;
  for (const [key, item] of sorted(value as ReadonlyMap<string, unknown>)) {
    const field = fieldOf(key, metadataFields);
    if (field === "name") name = textOf(item, ".metadata.name") ?? name;
    else if (field === "annotations") annotations = annotationsOf(item, annotations);
  }
  return { name, annotations };
}

function annotationsOf(value: unknown, before: ReadonlyMap<string, string> | undefined): ReadonlyMap<string, string> | undefined {
  if (value instanceof NonStringScalar && value.isNull) return undefined;
  if (!(value instanceof Map)) throw unmarshalTypeError(typeOf(value), "Go struct field .metadata.annotations of type map[string]string");
  const annotations = new Map(before);
  for (const [key, item] of sorted(value as ReadonlyMap<string, unknown>))
    annotations.set(key, textOf(item, ".metadata.annotations") ?? "");
  return annotations;
}

/** A string, or a scalar that sigs.k8s.io/yaml converts to one; undefined for null. */
function textOf(value: unknown, field: string): string | undefined {
  if (typeof value === "string") return value;
  if (!(value instanceof NonStringScalar)) throw unmarshalTypeError(typeOf(value), `Go struct field ${field} of type string`);
  if (value.isNull) return undefined;
  const { resolved } = value;
  return resolved.kind === "float" ? floatOf(Number(resolved.value)) : String(resolved.value);
}

function floatOf(value: number): string {
  if (Number.isFinite(value)) return formatGoFloat(value, 32);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}

function typeOf(value: unknown): string {
  if (typeof value === "string") return "string";
  if (value instanceof NonStringScalar) return value.resolved.kind === "bool" ? "bool" : "number";
  return value instanceof Map ? "object" : "array";
}

function sorted(map: ReadonlyMap<string, unknown>): [string, unknown][] {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
