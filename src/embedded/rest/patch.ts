import type { Answer } from "../../core/exchange/index.ts";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  goText,
  isFields,
  jsonTypeOf,
  PatchFault,
  patchSchemaOf,
  type Fields,
  type KubeObject,
} from "../../core/object/index.ts";
import {
  apiVersionFor,
  applyManagedFields,
  decodeObject,
  inVersion,
  strategyOf,
  DecodeError,
  type ApiServerWriteOptions,
  type Decoded,
  type DecodeOptions,
  type ServedResource,
} from "../apiserver/index.ts";
import { jsonSyntaxProblem } from "../builtin/index.ts";
import { schemaOf } from "../data/index.ts";
import { fieldInvalid as invalidField } from "../field-error.ts";
import { badRequestError, conflictError, invalidError, notFoundError, StatusError } from "../status-error.ts";
import { applyPatchType, mediaTypeOf, textOfBody, unsupportedMediaType, parseApplyPatch } from "./request-body.ts";
import { booleanParameter } from "./query-parameters.ts";
import { fieldValidationOf, writeOptionsOf } from "./request-options.ts";
import { ensureRequestNamespace, objectAnswer } from "./write.ts";
import type { RequestScope } from "./request-scope.ts";

const json = "application/json-patch+json";
const merge = "application/merge-patch+json";
const strategic = "application/strategic-merge-patch+json";
const apply = applyPatchType;

const known = [json, merge, strategic, apply];

/** Models apiserver pkg/endpoints/handlers/patch.go maxJSONPatchOperations */
const maxJsonPatchOperations = 10_000;

function tooManyOperations(count: number): StatusError {
  const message = `Request entity too large: The allowed maximum operations in a JSON patch is ${maxJsonPatchOperations}, got ${count}`;
  return new StatusError(413, "RequestEntityTooLarge", message);
}

/** Patches an object with one of the four patch types. Models apiserver pkg/endpoints/handlers/patch.go */
export function patchAnswer(scope: RequestScope): Answer {
  const { resource, request } = scope;
  const accepted = resource.custom === undefined ? [json, merge, strategic, apply] : [json, merge, apply];
  const type = mediaTypeOf(request);
  // The routes of built-in kinds know the media types of all patches. Custom resources have no routes.
  if (!known.includes(type) && resource.custom === undefined)
    throw new StatusError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  const options = writeOptionsOf(scope);
  return type === apply ? applyAnswer(scope, options) : patchedAnswer(scope, type, options);
}

/** A patch is read when there is something to patch. */
function patchOf(scope: RequestScope, type: string): unknown {
  const text = textOfBody(scope.request);
  const ignores = fieldValidationOf(scope.query) === "Ignore";
  const syntax = jsonSyntaxProblem(text);
  const patch: unknown = syntax === undefined ? JSON.parse(text) : undefined;
  const into = (type: string) => syntax ?? `json: cannot unmarshal ${jsonTypeOf(patch)} into Go value of type ${type}`;
  if (type === merge) {
    if (isFields(patch)) return patch;
    throw badRequestError(patch === null || ignores ? "Invalid JSON Patch" : `error decoding patch: ${into("map[string]interface {}")}`);
  }
  if (type === json) {
    if (Array.isArray(patch) || patch === null) return patch ?? [];
    throw badRequestError(ignores ? into("jsonpatch.Patch") : `error decoding patch: ${into("[]handlers.jsonPatchOp")}`);
  }
  if (isFields(patch) || patch === null) return patch ?? {};
  throw badRequestError(into("map[string]interface {}"));
}

function patchedAnswer(scope: RequestScope, type: string, options: ApiServerWriteOptions): Answer {
  const { server, resource, target, query } = scope;
  const live = server.read(resource.key, target.namespace, target.name);
  if (live === undefined) throw notFoundError(resource, target.name);
  const patch = patchOf(scope, type);
  const shown = inVersion(live, apiVersionFor(resource));
  const changed = patched(resource, shown, type, patch);
  const { object, warnings } = decoded(resource, changed, {
    fieldValidation: fieldValidationOf(query),
    converted: type === strategic,
    shown: type === strategic ? goText(patch) : JSON.stringify(changed),
  });
  warnings.forEach(scope.warn);
  checkName(object, target.name);
  return objectAnswer(scope, 200, server.updateAs(resource, live, ensureRequestNamespace(scope, object), options));
}

function patched(resource: ServedResource, shown: KubeObject, type: string, patch: unknown): unknown {
  try {
    if (Array.isArray(patch) && type === json && patch.length > maxJsonPatchOperations) throw tooManyOperations(patch.length);
    if (type === json) return applyJsonPatch(shown, patch);
    if (type === merge) return applyMergePatch(shown, patch);
    return applyStrategicPatch(
      shown,
      patch,
      patchSchemaOf(schemaOf(resource) ?? {}, () => ({})),
    );
  } catch (error) {
    if (error instanceof PatchFault) throw patchStatusError(error);
    throw error;
  }
}

/** Decodes the patched object. `shown` is the value that the server's error prints. */
function decoded(resource: ServedResource, changed: unknown, { shown, ...options }: DecodeOptions & { readonly shown: string }): Decoded {
  try {
    return decodeObject(resource, isFields(changed) ? changed : {}, options);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw invalidError({ group: "", kind: "" }, "", [invalidField("patch", shown, error.message)]);
  }
}

/** A patch that does not apply is rejected without details. Models apiserver pkg/endpoints/handlers/patch.go applyJSPatch */
function patchStatusError({ reason, message }: PatchFault): StatusError {
  if (reason === "BadRequest") return badRequestError(message);
  if (reason === "InternalError") return new StatusError(500, "", message);
  return new StatusError(422, "Invalid", "the server rejected our request due to an error in our request", {});
}

/** Server-side apply: creates an absent object. */
function applyAnswer(scope: RequestScope, written: ApiServerWriteOptions): Answer {
  const { server, resource, target, query } = scope;
  const live = server.read(resource.key, target.namespace, target.name);
  const mayCreate = target.subresource === "" || strategyOf(resource).allowsCreateOnUpdate;
  if (live === undefined && !mayCreate) throw notFoundError(resource, target.name);
  const config = configOf(parseApplyPatch(textOfBody(scope.request)));
  const force = booleanParameter(query, "force") ?? false;
  const options = { ...written, owned: true };
  const merged = applyManagedFields(resource, live, config, { ...options, force }, server.timestamp());
  const object = ensureRequestNamespace(scope, merged);
  if (live === undefined && config.metadata.uid !== undefined)
    throw conflictError(
      resource,
      target.name,
      "uid mismatch: the provided object specified uid " + config.metadata.uid + ", and no existing object was found",
    );
  checkName(object, target.name);
  if (live !== undefined) return objectAnswer(scope, 200, server.updateAs(resource, live, object, options));
  if (target.subresource !== "") throw notFoundError(resource, target.name);
  return objectAnswer(scope, 201, server.createAs(resource, object, options));
}

/** Models apiserver pkg/endpoints/handlers/rest.go checkName */
function checkName({ metadata: { name = "" } }: KubeObject, expected: string): void {
  if (name === "") throw badRequestError(`the name of the object (${expected} based on URL) was undeterminable: name must be provided`);
  if (name !== expected) throw badRequestError(`the name of the object (${name}) does not match the name on the URL (${expected})`);
}

function configOf(patch: unknown): KubeObject {
  if (!isFields(patch)) throw badRequestError(`error decoding YAML: the body of an apply must be an object`);
  const { apiVersion = "", kind = "", metadata } = patch;
  const known: Fields = isFields(metadata) ? metadata : {};
  return { ...patch, apiVersion: String(apiVersion), kind: String(kind), metadata: known as KubeObject["metadata"] };
}
