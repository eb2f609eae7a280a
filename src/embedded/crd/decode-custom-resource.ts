import type { KubeObject } from "../../core/object/index.ts";
import { schemaNamed } from "../data/index.ts";
import { applyDefaults, decodeError, dropNulls, pruneUnknownFields, sortKeys } from "../schema/index.ts";
import type { ServedCrdVersion } from "./served-crd-version.ts";

/** A custom resource in another version: the conversion strategy None changes only the apiVersion. */
export function convertCustomResource(object: KubeObject, { group, version }: Pick<ServedCrdVersion, "group" | "version">): KubeObject {
  const apiVersion = `${group}/${version}`;
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/** Why the metadata of a custom resource cannot be decoded, as Go's decoder words it; undefined when it can. */
export function metadataError({ metadata = {} }: { readonly metadata?: unknown }): string | undefined {
  const schema = schemaNamed(objectMeta) ?? {};
  // The server writes the metadata as JSON before it reads them into the Go type, and stops at the first field.
  return decodeError(metadata ?? {}, schema) === undefined ? undefined : decodeError(sortKeys(metadata), schema);
}

/** A decoded custom resource, and its unknown fields. */
type DecodedCustomResource = { readonly object: KubeObject; readonly unknown: readonly string[] };

/**
 * Decodes a custom resource in one of its versions, from a request or from storage: prunes unknown fields and applies
 * defaults. Nulls of fields that may have none are dropped, unless they come from server-side apply: no body is decoded
 * there, and validation refuses them. What a webhook has converted gets no defaults. Models apiextensions pkg/apiserver/customresource_handler.go
 */
export function decodeCustomResource(
  object: KubeObject,
  version: Pick<ServedCrdVersion, "group" | "version" | "schema">,
  { keepNulls = false, defaults = true }: { readonly keepNulls?: boolean; readonly defaults?: boolean } = {},
): DecodedCustomResource {
  const { value, unknown } = pruneUnknownFields(convertCustomResource(object, version), version.schema, {
    metadata: schemaNamed(objectMeta),
  });
  const known = keepNulls ? value : dropNulls(value, version.schema);
  return { object: withoutEmptyMetadata(defaults ? applyDefaults(known, version.schema) : known), unknown };
}

/** The server holds metadata in a struct, and leaves these fields out when they are empty. Models apimachinery ObjectMeta */
const leftOutWhenEmpty: ReadonlySet<string> = new Set(["labels", "annotations", "finalizers", "ownerReferences", "generateName"]);

function withoutEmptyMetadata(object: KubeObject): KubeObject {
  const { name, ...others } = object.metadata;
  const fields = Object.entries(others);
  const kept = fields.filter(([field, value]) => !leftOutWhenEmpty.has(field) || !isEmpty(value));
  return kept.length === fields.length ? object : { ...object, metadata: { name, ...Object.fromEntries(kept) } };
}

/** Clients send null where the type has nothing. */
function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}
