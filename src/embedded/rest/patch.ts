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
  DecodeError,
  type Decoded,
  type DecodeOptions,
  type ServedResource,
} from "../apiserver/index.ts";
import { schemaOf } from "../data/index.ts";
import { fieldInvalid as invalidField } from "../field-error.ts";
import { badRequestError, conflictError, invalidError, notFoundError, StatusError } from "../status-error.ts";
import { parseJsonPatch, mediaTypeOf, textOfBody, unsupportedMediaType, parseApplyPatch } from "./request-body.ts";
import { booleanParameter } from "./query-parameters.ts";
import { fieldValidationOf, writeOptionsOf } from "./request-options.ts";
import { ensureRequestNamespace, objectAnswer } from "./write.ts";
import type { RequestScope } from "./request-scope.ts";

const json = "application/json-patch+json";
const merge = "application/merge-patch+json";
const strategic = "application/strategic-merge-patch+json";
const apply = "application/apply-patch+yaml";

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
  const patch = type === apply ? parseApplyPatch(textOfBody(request)) : parseJsonPatch(textOfBody(request), type === strategic);
  return type === apply ? applyAnswer(scope, patch) : patchedAnswer(scope, type, patch);
}

function patchedAnswer(scope: RequestScope, type: string, patch: unknown): Answer {
  const { server, resource, target, query } = scope;
  const live = server.read(resource.key, target.namespace, target.name);
  if (live === undefined) throw notFoundError(resource, target.name);
  const shown = inVersion(live, apiVersionFor(resource));
  const changed = patched(resource, shown, type, patch);
  const { object, warnings } = decoded(resource, changed, {
    fieldValidation: fieldValidationOf(query),
    converted: type === strategic,
    shown: type === strategic ? goText(patch) : JSON.stringify(changed),
  });
  checkIdentity(live, object);
  const next = server.updateAs(resource, live, ensureRequestNamespace(scope, object), writeOptionsOf(scope));
  return objectAnswer(scope, 200, next, warnings);
}

function patched(resource: ServedResource, shown: KubeObject, type: string, patch: unknown): unknown {
  try {
    checkPatchType(type, patch);
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

/** Only the decoder of strategic patches does not say what it decodes. */
function checkPatchType(type: string, patch: unknown): void {
  const isFitting = type === json ? Array.isArray(patch) : patch === null || isFields(patch);
  if (isFitting) return;
  const wanted = type === json ? "[]handlers.jsonPatchOp" : "map[string]interface {}";
  const about = type === strategic ? "" : "error decoding patch: ";
  throw badRequestError(`${about}json: cannot unmarshal ${jsonTypeOf(patch)} into Go value of type ${wanted}`);
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

function checkIdentity(live: KubeObject, next: KubeObject): void {
  if (next.metadata.name === live.metadata.name) return;
  throw badRequestError(`the name of the object (${next.metadata.name}) does not match the name on the URL (${live.metadata.name})`);
}

/** Server-side apply: creates an absent object. */
function applyAnswer(scope: RequestScope, patch: unknown): Answer {
  const { server, resource, target, query } = scope;
  const config = configOf(scope, patch);
  if ((query.get("fieldManager") ?? "") === "") throw missingManager();
  const live = server.read(resource.key, target.namespace, target.name);
  const force = booleanParameter(query, "force") ?? false;
  const options = { ...writeOptionsOf(scope), owned: true };
  const object = applyManagedFields(resource, live, config, { ...options, force }, server.timestamp());
  if (live !== undefined) return objectAnswer(scope, 200, server.updateAs(resource, live, object, options));
  if (target.subresource !== "") throw notFoundError(resource, target.name);
  if (config.metadata.uid !== undefined)
    throw conflictError(
      resource,
      target.name,
      "uid mismatch: the provided object specified uid " + config.metadata.uid + ", and no existing object was found",
    );
  return objectAnswer(scope, 201, server.createAs(resource, ensureRequestNamespace(scope, object), options));
}

function missingManager(): StatusError {
  const message = 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch';
  const causes = [{ reason: "FieldValueRequired", message: "Required value: is required for apply patch", field: "fieldManager" }];
  return new StatusError(422, "Invalid", message, { group: "meta.k8s.io", kind: "PatchOptions", causes });
}

function configOf(scope: RequestScope, patch: unknown): KubeObject {
  const { target } = scope;
  if (!isFields(patch)) throw badRequestError(`error decoding YAML: the body of an apply must be an object`);
  const metadata: Fields = isFields(patch["metadata"]) ? patch["metadata"] : {};
  const { name } = metadata;
  if (name !== undefined && name !== target.name) {
    throw badRequestError(`the name of the object (${String(name)}) does not match the name on the URL (${target.name})`);
  }
  const { apiVersion = "", kind = "" } = patch;
  const config = { ...patch, apiVersion: String(apiVersion), kind: String(kind), metadata: { ...metadata, name: target.name } };
  // Validated, but not written into the configuration: messages show the object as it was sent.
  ensureRequestNamespace(scope, config);
  return config;
}
