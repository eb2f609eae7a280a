import { isFields, type Fields, type KubeObject } from "../../object/index.ts";
import { metadataError, readCustom } from "../crd/index.ts";
import { schemaOf } from "../data/index.ts";
import { badRequest } from "../refusal.ts";
import { decodeError, pruneTyped, type Pruned } from "../schema/index.ts";
import { apiVersionFor, type CustomResource, type Resource } from "./resource.ts";

export type Decoded = { readonly object: KubeObject; readonly warnings: readonly string[] };

/** What becomes of fields that nobody knows: dropped in silence, dropped with a warning, or refused. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** Reads a body as an object of the resource, as the server's types would. Models apiserver pkg/endpoints/handlers/create.go */
export function decode(resource: Resource, body: unknown, { fieldValidation }: { fieldValidation: FieldValidation }): Decoded {
  const object = named(resource, body);
  const { value, unknown } = known(resource, object);
  const said = unknown.map((path) => `unknown field ${JSON.stringify(path)}`);
  if (fieldValidation === "Strict" && said.length > 0) throw badRequest(`${cannotHandle(resource)}: strict decoding error: ${said.join(", ")}`);
  return { object: value, warnings: fieldValidation === "Warn" ? said : [] };
}

function cannotHandle({ kind, group, version }: Resource): string {
  return `${kind} in version ${JSON.stringify(apiVersionFor({ group, version }).split("/").at(-1))} cannot be handled as a ${kind}`;
}

/** A body may leave out what the path says already, but not contradict it. */
function named(resource: Resource, body: unknown): KubeObject {
  const { kind } = resource;
  const apiVersion = apiVersionFor(resource);
  if (!isFields(body)) throw badRequest(`${cannotHandle(resource)}: json: cannot unmarshal ${jsonType(body)} into Go value of type map[string]interface {}`);
  const { apiVersion: sentVersion = apiVersion, kind: sentKind = kind } = body;
  if (sentVersion !== apiVersion || sentKind !== kind) {
    const expected = `${apiVersion}, Kind=${kind}`;
    throw badRequest(`${kind} in version ${JSON.stringify(resource.version)} cannot be handled as a ${kind}: the body is ${String(sentVersion)}, Kind=${String(sentKind)}, expected ${expected}`);
  }
  const metadata: Fields = isFields(body["metadata"]) ? body["metadata"] : {};
  return { ...body, apiVersion, kind, metadata: metadata as KubeObject["metadata"] };
}

function known(resource: Resource, object: KubeObject): Pruned<KubeObject> {
  if (resource.custom !== undefined) return knownCustom(resource, object, resource.custom);
  const schema = schemaOf(resource);
  if (schema === undefined) return { value: object, unknown: [] };
  const wrong = decodeError(object, schema);
  if (wrong !== undefined) throw badRequest(`${cannotHandle(resource)}: ${wrong}`);
  return pruneTyped(object, schema);
}

function knownCustom(resource: Resource, sent: KubeObject, { served }: CustomResource): Pruned<KubeObject> {
  const wrong = metadataError(sent);
  if (wrong !== undefined) throw badRequest(`${cannotHandle(resource)}: ${wrong}`);
  const { object, unknown } = readCustom(sent, served);
  return { value: object, unknown };
}

function jsonType(value: unknown): string {
  return Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
}
