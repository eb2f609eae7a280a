import type { Request } from "../../core/exchange/index.ts";
import { isFields, type Fields } from "../../core/object/index.ts";
import type { ApiServerDeleteOptions, ApiServerWriteOptions, DeleteOptions, FieldValidation } from "../apiserver/index.ts";
import {
  fieldForbidden,
  fieldInvalid as invalidField,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  type FieldError,
} from "../field-error.ts";
import { schemaNamed } from "../data/index.ts";
import { decodeError } from "../schema/index.ts";
import { badRequestError, invalidError } from "../status-error.ts";
import { applyPatchType, bodyBytes, mediaTypeOf, notAnObject, requestBodyOf } from "./request-body.ts";
import type { RequestScope } from "./request-scope.ts";

/** Models apiserver pkg/endpoints/handlers/create.go managerOrUserAgent */
export function writeOptionsOf({ query, request, target, user, warn }: RequestScope): ApiServerWriteOptions {
  const agent = request.headers["user-agent"] ?? "";
  const manager = query.get("fieldManager") || agent.split("/", 1)[0] || "unknown";
  checkWriteOptions(request, query);
  return {
    manager,
    dryRun: query.has("dryRun"),
    user,
    warn,
    requestOptions: requestOptionsOf(query),
    sentBytes: bodyBytes(request),
    ...(target.subresource === "" ? {} : { subresource: target.subresource }),
  };
}

/** The options of a create or an update as admission sees them: without what is not set. */
function requestOptionsOf(query: URLSearchParams): Fields {
  const [dryRun, fieldManager, fieldValidation] = [query.getAll("dryRun"), query.get("fieldManager"), query.get("fieldValidation")];
  return {
    ...(dryRun.length === 0 ? {} : { dryRun }),
    ...(fieldManager ? { fieldManager } : {}),
    ...(fieldValidation ? { fieldValidation } : {}),
  };
}

const optionsKinds: Readonly<Record<string, string>> = { POST: "CreateOptions", PUT: "UpdateOptions", PATCH: "PatchOptions" };
const longestManager = 128;

/** Models apimachinery pkg/apis/meta/v1/validation/validation.go ValidateCreateOptions, and those of updates and patches */
function checkWriteOptions(request: Request, query: URLSearchParams): void {
  const manager = query.get("fieldManager") ?? "";
  const fieldValidation = query.get("fieldValidation") ?? "";
  const errors = [
    ...(request.method === "PATCH" ? patchErrors(request, query, manager) : []),
    ...(Buffer.byteLength(manager) > longestManager ? [fieldTooLong("fieldManager", longestManager)] : []),
    ...dryRunErrors(query.getAll("dryRun")),
    ...(fieldValidations.includes(fieldValidation) ? [] : [fieldNotSupported("fieldValidation", fieldValidation, fieldValidations)]),
  ];
  if (errors.length > 0) throw invalidError({ group: "meta.k8s.io", kind: optionsKinds[request.method] ?? "" }, "", errors);
}

function patchErrors(request: Request, query: URLSearchParams, manager: string): readonly FieldError[] {
  if (mediaTypeOf(request) !== applyPatchType)
    return query.has("force") ? [fieldForbidden("force", "may not be specified for non-apply patch")] : [];
  return manager === "" ? [fieldRequired("fieldManager", "is required for apply patch")] : [];
}

function dryRunErrors(values: readonly string[]): readonly FieldError[] {
  return values.every((value) => value === "All") ? [] : [fieldNotSupported("dryRun", values, ["All"])];
}

const fieldValidations = ["", "Ignore", "Strict", "Warn"];

/** The field validation of a request whose options were checked. */
export function fieldValidationOf(query: URLSearchParams): FieldValidation {
  const value = query.get("fieldValidation");
  return value === "Ignore" || value === "Strict" ? value : "Warn";
}

/** The options of a deletion. */
export function deleteOptionsOf({ query, request, user, warn }: RequestScope): ApiServerDeleteOptions {
  const body = request.body === undefined || request.body.length === 0 ? {} : deleteBody(request);
  return { ...deleteOptionsIn(body, query), user, warn };
}

/** The fields of DeleteOptions, in the order of the Go type. */
const deleteFields = ["gracePeriodSeconds", "preconditions", "orphanDependents", "propagationPolicy", "dryRun"];

/** The options of a deletion, from its DeleteOptions and, where these say nothing, from the query. */
export function deleteOptionsIn(body: Fields, query: URLSearchParams): ApiServerDeleteOptions & { readonly dryRun: boolean } {
  const grace = body["gracePeriodSeconds"] ?? query.get("gracePeriodSeconds");
  const preconditions = isFields(body["preconditions"]) ? body["preconditions"] : {};
  const dryRun = Array.isArray(body["dryRun"]) ? body["dryRun"].map(String) : query.getAll("dryRun");
  const policy = body["propagationPolicy"] ?? query.get("propagationPolicy");
  const orphanDependents = body["orphanDependents"] ?? query.get("orphanDependents");
  const errors = [...propagationErrors(policy, orphanDependents), ...dryRunErrors(dryRun)];
  if (errors.length > 0) throw invalidError({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", errors);
  const propagation = propagationOf(policy, orphanDependents);
  const asked: Fields = { ...body, ...(dryRun.length === 0 ? {} : { dryRun }) };
  return {
    dryRun: dryRun.length > 0,
    requestOptions: Object.fromEntries(deleteFields.flatMap((field) => (field in asked ? [[field, asked[field]]] : []))),
    ...(grace === null || grace === undefined ? {} : { graceSeconds: Number(grace) }),
    ...(propagation === undefined ? {} : { propagation }),
    ...(typeof preconditions["uid"] === "string" ? { uid: preconditions["uid"] } : {}),
    ...(typeof preconditions["resourceVersion"] === "string" ? { resourceVersion: preconditions["resourceVersion"] } : {}),
  };
}

function deleteBody(request: Request): Fields {
  const body = requestBodyOf(request, { group: "", version: "v1", kind: "DeleteOptions" }) ?? {};
  if (!isFields(body)) throw badRequestError(notAnObject(body));
  const { kind = "DeleteOptions" } = body;
  if (kind !== "DeleteOptions")
    throw badRequestError(
      `no kind ${JSON.stringify(kind)} is registered for version "meta.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"`,
    );
  const wrong = decodeError(body, schemaNamed("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions") ?? {});
  if (wrong !== undefined) throw badRequestError(wrong);
  return body;
}

const propagations: Readonly<Record<string, NonNullable<DeleteOptions["propagation"]>>> = {
  Background: "background",
  Foreground: "foreground",
  Orphan: "orphan",
};

/** Models apimachinery pkg/apis/meta/v1/validation/validation.go ValidateDeleteOptions */
function propagationErrors(policy: unknown, orphanDependents: unknown): readonly FieldError[] {
  if (policy === null || policy === undefined) return [];
  const isSetTwice = orphanDependents !== null && orphanDependents !== undefined;
  const twice = invalidField("propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set");
  const isKnown = typeof policy === "string" && Object.hasOwn(propagations, policy);
  return [
    ...(isSetTwice ? [twice] : []),
    ...(isKnown ? [] : [fieldNotSupported("propagationPolicy", policy, ["Foreground", "Background", "Orphan", "nil"])]),
  ];
}

function propagationOf(policy: unknown, orphanDependents: unknown): DeleteOptions["propagation"] {
  if (typeof policy === "string") return propagations[policy];
  if (orphanDependents === null || orphanDependents === undefined) return undefined;
  return String(orphanDependents) === "true" ? "orphan" : "background";
}
