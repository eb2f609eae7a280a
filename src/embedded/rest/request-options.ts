import type { Request } from "../../core/exchange/index.ts";
import { isFields, type Fields } from "../../core/object/index.ts";
import type { ApiServerDeleteOptions, ApiServerWriteOptions, DeleteOptions, FieldValidation } from "../apiserver/index.ts";
import { fieldInvalid as invalidField, fieldNotSupported } from "../field-error.ts";
import { badRequestError, invalidError, type StatusError } from "../status-error.ts";
import { bodyBytes, requestBodyOf } from "./request-body.ts";
import type { RequestScope } from "./request-scope.ts";

/** Models apiserver pkg/endpoints/handlers/create.go managerOrUserAgent */
export function writeOptionsOf({ query, request, target, user, warn }: RequestScope): ApiServerWriteOptions {
  const agent = request.headers["user-agent"] ?? "";
  const manager = query.get("fieldManager") || agent.split("/", 1)[0] || "unknown";
  if (manager.length > 128) throw invalidOptions("fieldManager", `Too long: may not be more than 128 bytes`);
  const dryRun = dryRunOf(query.getAll("dryRun"));
  return {
    manager,
    dryRun,
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

function invalidOptions(field: string, message: string): StatusError {
  return invalidError({ group: "meta.k8s.io", kind: "PatchOptions" }, "", [{ field, reason: "FieldValueInvalid", message }]);
}

function dryRunOf(values: readonly string[]): boolean {
  const odd = values.filter((value) => value !== "All");
  if (odd.length === 0) return values.length > 0;
  throw invalidError({ group: "meta.k8s.io", kind: "CreateOptions" }, "", [fieldNotSupported("dryRun", odd, ["All"])]);
}

export function fieldValidationOf(query: URLSearchParams): FieldValidation {
  const value = query.get("fieldValidation") ?? "";
  if (value === "") return "Warn";
  if (value === "Ignore" || value === "Warn" || value === "Strict") return value;
  throw invalidError({ group: "meta.k8s.io", kind: "CreateOptions" }, "", [
    fieldNotSupported("fieldValidation", value, ["", "Ignore", "Strict", "Warn"]),
  ]);
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
  const propagation = propagationOf(
    body["propagationPolicy"] ?? query.get("propagationPolicy"),
    body["orphanDependents"] ?? query.get("orphanDependents"),
  );
  const asked: Fields = { ...body, ...(dryRun.length === 0 ? {} : { dryRun }) };
  return {
    dryRun: dryRunOf(dryRun),
    requestOptions: Object.fromEntries(deleteFields.flatMap((field) => (field in asked ? [[field, asked[field]]] : []))),
    ...(grace === null || grace === undefined ? {} : { graceSeconds: Number(grace) }),
    ...(propagation === undefined ? {} : { propagation }),
    ...(typeof preconditions["uid"] === "string" ? { uid: preconditions["uid"] } : {}),
    ...(typeof preconditions["resourceVersion"] === "string" ? { resourceVersion: preconditions["resourceVersion"] } : {}),
  };
}

function deleteBody(request: Request): Fields {
  const body = requestBodyOf(request, { group: "", version: "v1", kind: "DeleteOptions" });
  if (!isFields(body)) throw badRequestError("the body of a deletion must be DeleteOptions");
  return body;
}

const propagations: Readonly<Record<string, NonNullable<DeleteOptions["propagation"]>>> = {
  Background: "background",
  Foreground: "foreground",
  Orphan: "orphan",
};

function propagationOf(value: unknown, orphanDependents: unknown): DeleteOptions["propagation"] {
  const about = { group: "meta.k8s.io", kind: "DeleteOptions" };
  const orphans =
    typeof orphanDependents === "boolean" || typeof orphanDependents === "string" ? String(orphanDependents) === "true" : undefined;
  if (value === null || value === undefined || value === "") return orphans === undefined ? undefined : orphans ? "orphan" : "background";
  if (orphans !== undefined)
    throw invalidError(about, "", [
      invalidField("propagationPolicy", value, "orphanDependents and deletionPropagation cannot be both set"),
    ]);
  const known = typeof value === "string" ? propagations[value] : undefined;
  if (known !== undefined) return known;
  throw invalidError(about, "", [fieldNotSupported("propagationPolicy", value, ["Foreground", "Background", "Orphan", "nil"])]);
}
