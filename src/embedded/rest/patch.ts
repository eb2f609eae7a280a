import type { Answer } from "../../core/exchange/index.ts";
import {
  PatchFault,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  goText,
  isFields,
  jsonText,
  jsonTypeOf,
  patchSchemaOf,
  type Fields,
  type KubeObject,
} from "../../core/object/index.ts";
import {
  apiVersionFor,
  applyManagedFields,
  checkVersion,
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
import { sortKeys } from "../schema/index.ts";
import { fieldInvalid as invalidField } from "../field-error.ts";
import { badRequestError, conflictError, invalidError, notFoundError, StatusError } from "../status-error.ts";
import {
  applyPatchType,
  conversionProblem,
  jsonValueOf,
  mediaTypeOf,
  textOfBody,
  unsupportedMediaType,
  parseApplyPatch,
} from "./request-body.ts";
import { otherTypeError, typeMetaProblem } from "./type-meta.ts";
import { booleanParameter } from "./query-parameters.ts";
import { fieldValidationOf, writeOptionsOf } from "./request-options.ts";
import { checkUnconditional, ensureRequestNamespace, objectAnswer } from "./write.ts";
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
  const patch: unknown = syntax === undefined ? jsonValueOf(text) : undefined;
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
  const { server, resource, target } = scope;
  const live = server.readAs(resource, target.namespace, target.name);
  if (live === undefined) throw notFoundError(resource, target.name);
  const { object, changed } = patchedObject(scope, inVersion(live, apiVersionFor(resource)), type);
  if (isZero(object)) checkUnconditional(resource, target.name);
  const misnamed = resource.custom !== undefined && isFields(changed) ? otherTypeError(resource, changed, target.name) : undefined;
  if (misnamed !== undefined) throw misnamed;
  return objectAnswer(scope, 200, server.updateAs(resource, live, ensureRequestNamespace(scope, object), options));
}

/** What the patch of a request makes of an object, before and after it is decoded. `otherKind` says why it may be of no other kind. */
export function patchedObject(
  scope: RequestScope,
  shown: KubeObject,
  type: string,
  otherKind: typeof conversionProblem = conversionProblem,
): { readonly object: KubeObject; readonly changed: unknown } {
  const { resource, target, query } = scope;
  const patch = patchOf(scope, type);
  const changed = patched(resource, shown, type, patch);
  if (isFields(changed)) checkPatchedType(resource, changed, type, patch, otherKind);
  const { object, warnings } = decoded(resource, changed, {
    fieldValidation: fieldValidationOf(query),
    converted: type === strategic,
    shown: type === strategic ? goText(patch) : jsonText(changed),
  });
  warnings.forEach(scope.warn);
  checkName(object, target.name);
  return { object, changed };
}

/** A patch may not change what the object is. Only a strategic one goes by the type of the resource, whatever it says. */
function checkPatchedType(
  resource: ServedResource,
  changed: Fields,
  type: string,
  patch: unknown,
  otherKind: typeof conversionProblem,
): void {
  const { apiVersion = "", kind = "" } = changed;
  const problem =
    type === strategic ? convertedTypeProblem(changed) : (typeMetaProblem(changed) ?? otherType(resource, changed, otherKind));
  if (problem !== undefined) throw patchInvalid(type === strategic ? goText(patch) : jsonText(changed), problem);
  if (resource.custom === undefined || type === strategic) return;
  if (kind === "" || kind === null) {
    const text = jsonText(changed);
    throw patchInvalid(text, `Object 'Kind' is missing in '${text}'`);
  }
  const missing = "Object 'apiVersion' is missing in 'object has no apiVersion field'";
  if (apiVersion === "")
    throw new StatusError(500, "InternalError", `Internal error occurred: ${missing}`, { causes: [{ message: missing }] });
}

function convertedTypeProblem(changed: Fields): string | undefined {
  const wrong = [changed["kind"] ?? "", changed["apiVersion"] ?? ""].find((value) => typeof value !== "string");
  if (wrong === undefined) return undefined;
  if (typeof wrong === "number") return `cannot convert ${Number.isInteger(wrong) ? "int64" : "float64"} to string`;
  return typeof wrong === "boolean" ? "cannot convert bool to string" : "unrecognized type: string";
}

/** A built-in object of another kind has no way to become one of the resource's. */
function otherType(resource: ServedResource, { apiVersion, kind }: Fields, otherKind: typeof conversionProblem): string | undefined {
  if (resource.custom !== undefined || !kind || !apiVersion) return undefined;
  return apiVersion === apiVersionFor(resource) && kind === resource.kind
    ? undefined
    : otherKind(resource, String(apiVersion), String(kind));
}

function patchInvalid(shown: string, why: string): StatusError {
  return invalidError({ group: "", kind: "" }, "", [invalidField("patch", shown, why)]);
}

function patched(resource: ServedResource, shown: KubeObject, type: string, patch: unknown): unknown {
  if (type !== strategic) return patchedTree(shown, type, patch);
  return applying(() =>
    applyStrategicPatch(
      shown,
      patch,
      patchSchemaOf(schemaOf(resource) ?? {}, () => ({})),
    ),
  );
}

/** What a JSON patch or a merge patch makes of an object, whose kind does not matter. */
function patchedTree(shown: KubeObject, type: string, patch: unknown): unknown {
  // What a merge patch makes is written as a Go map, whose keys are sorted: the first error is that of the first key.
  if (type !== json) return sortKeys(applying(() => applyMergePatch(shown, patch)));
  if (Array.isArray(patch) && patch.length > maxJsonPatchOperations) throw tooManyOperations(patch.length);
  return applying(() => applyJsonPatch(shown, patch));
}

function applying(apply: () => unknown): unknown {
  try {
    return apply();
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
    throw patchInvalid(shown, error.message);
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
  const live = server.readAs(resource, target.namespace, target.name);
  const mayCreate = target.subresource === "" || strategyOf(resource).allowsCreateOnUpdate;
  if (live === undefined && !mayCreate) throw notFoundError(resource, target.name);
  const config = configOf(parseApplyPatch(scope.request));
  const force = booleanParameter(query, "force") ?? false;
  const options = { ...written, owned: true };
  const merged = applyManagedFields(resource, live, config, { ...options, ...server.fieldConversion(resource), force }, server.timestamp());
  const object = ensureRequestNamespace(scope, merged);
  if (live === undefined && config.metadata.uid !== undefined)
    throw conflictError(
      resource,
      target.name,
      "uid mismatch: the provided object specified uid " + config.metadata.uid + ", and no existing object was found",
    );
  checkName(object, target.name);
  if (live !== undefined && isZero(object)) checkUnconditional(resource, target.name);
  if (live !== undefined) return objectAnswer(scope, 200, server.updateAs(resource, live, object, options));
  if (target.subresource !== "") throw notFoundError(resource, target.name);
  checkVersion(config.metadata.resourceVersion);
  return objectAnswer(scope, 201, server.createAs(resource, object, options));
}

/** A patch that sets the version to zero, or to nothing. */
function isZero({ metadata: { resourceVersion } }: KubeObject): boolean {
  return resourceVersion !== undefined && /^0*$/.test(resourceVersion);
}

/** Models apiserver pkg/endpoints/handlers/rest.go checkName */
export function checkName({ metadata: { name = "" } }: KubeObject, expected: string): void {
  if (name === "") throw badRequestError(`the name of the object (${expected} based on URL) was undeterminable: name must be provided`);
  if (name !== expected) throw badRequestError(`the name of the object (${name}) does not match the name on the URL (${expected})`);
}

/** The object of an apply. */
export function configOf(patch: Fields): KubeObject {
  const { apiVersion, kind, metadata } = patch;
  const known: Fields = isFields(metadata) ? metadata : {};
  // What is no text counts as nothing, and a version of three parts leaves nothing of both.
  const isVersion = typeof apiVersion !== "string" || apiVersion.split("/").length < 3;
  const text = (value: unknown) => (typeof value === "string" && isVersion ? value : "");
  return { ...patch, apiVersion: text(apiVersion), kind: text(kind), metadata: known as KubeObject["metadata"] };
}
