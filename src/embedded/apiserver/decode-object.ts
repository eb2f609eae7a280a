import { isFields, type Fields, type KubeObject } from "../../core/object/index.ts";
import { encodedMetadata, inStructOrder } from "../builtin/index.ts";
import { metadataError, decodeCustomResource } from "../crd/index.ts";
import { schemaOf } from "../data/index.ts";
import { conversionError, decodeError, pruneTyped, type JsonSchemaProps, type Pruned } from "../schema/index.ts";
import { apiVersionFor, type CustomResource, type ServedResource } from "./served-resource.ts";

export type Decoded = { readonly object: KubeObject; readonly warnings: readonly string[] };

/** How unknown fields are treated: dropped silently, dropped with a warning, or rejected. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** A body that cannot be decoded as an object of the resource. The caller turns it into a Status. */
export class DecodeError extends Error {}

export type DecodeOptions = {
  readonly fieldValidation: FieldValidation;
  /** The body is a tree that the server built, not JSON from a client. Default false. */
  readonly converted?: boolean;
  /** Only the metadata are held against what is known, as those of an object of another kind. Default false. */
  readonly metadataOnly?: boolean;
};

/** Decodes a body into an object of the resource, as the server's Go types would. Models apiserver pkg/endpoints/handlers/create.go */
export function decodeObject(
  resource: ServedResource,
  body: Fields,
  { fieldValidation, converted = false, metadataOnly = false }: DecodeOptions,
): Decoded {
  const metadata: Fields = isFields(body["metadata"]) ? body["metadata"] : {};
  const object: KubeObject = {
    ...body,
    apiVersion: apiVersionFor(resource),
    kind: resource.kind,
    metadata: metadata as KubeObject["metadata"],
  };
  const { value, unknown } = pruneUnknown(resource, object, converted);
  const told = metadataOnly ? unknown.filter((path) => path.startsWith("metadata.")) : unknown;
  const messages = told.map((path) => `unknown field ${JSON.stringify(path)}`);
  if (fieldValidation === "Strict" && messages.length > 0) throw new DecodeError(`strict decoding error: ${messages.join(", ")}`);
  return { object: value, warnings: fieldValidation === "Warn" ? messages : [] };
}

function pruneUnknown(resource: ServedResource, object: KubeObject, converted: boolean): Pruned<KubeObject> {
  if (resource.custom !== undefined) return pruneUnknownCustom(object, resource.custom);
  const schema = schemaOf(resource);
  if (schema === undefined) return { value: object, unknown: [] };
  const wrong = converted ? firstConversionError(object, schema) : decodeError(object, schema);
  if (wrong !== undefined) throw new DecodeError(wrong);
  return pruneTyped(object, schema);
}

/** Fields are converted in the order of their Go struct, so the first error is that of the object in this order. */
function firstConversionError(object: KubeObject, schema: JsonSchemaProps): string | undefined {
  const any = conversionError(object, schema);
  return any === undefined ? undefined : (conversionError(inStructOrder(object), schema) ?? any);
}

function pruneUnknownCustom(sent: KubeObject, { served }: CustomResource): Pruned<KubeObject> {
  const wrong = metadataError(sent);
  if (wrong !== undefined) throw new DecodeError(wrong);
  const { object, unknown } = decodeCustomResource(withoutEmptyManagers(sent), served);
  return { value: { ...object, metadata: encodedMetadata(object.metadata) }, unknown };
}

/** An empty list of managers is none, and resets nothing: a tree has no empty lists of structs. */
function withoutEmptyManagers(sent: KubeObject): KubeObject {
  const { managedFields, ...metadata } = sent.metadata;
  return Array.isArray(managedFields) && managedFields.length === 0 ? { ...sent, metadata } : sent;
}
