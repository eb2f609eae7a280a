import type { Answer } from "../../../core/exchange/index.ts";
import { fieldsAt, isFields, stringAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import type { UserInfo } from "../../authentication/index.ts";
import type { Attributes, Authorizer } from "../../authorization/index.ts";
import { fieldInvalid, fieldRequired, type FieldError } from "../../field-error.ts";
import { invalidError } from "../../status-error.ts";
import type { RequestScope } from "../request-scope.ts";
import { reviewAnswer, reviewRequestOf } from "./review-request.ts";

/** Whose access is asked for: of the user that asks, or of one that the review names. */
type ReviewedAccess = "self" | "subject" | "local";

/** Answers whether a user may do something. Models pkg/registry/authorization: subjectaccessreview and its siblings */
export function accessReviewAnswer(scope: RequestScope, authorizer: Authorizer, access: ReviewedAccess): Answer {
  const { object, warnings, validate: admit } = reviewRequestOf(scope);
  const errors = validate(object, access);
  // The real server names no kind here.
  if (errors.length > 0) throw invalidError({ group: scope.resource.group, kind: "" }, "", errors);
  admit(object);
  const user = access === "self" ? scope.user : subjectOf(object);
  const { allowed, reason } = authorizer.authorize(attributesIn(object, user));
  return reviewAnswer(scope, { ...object, status: { allowed, ...(reason === "" ? {} : { reason }) } }, warnings);
}

function subjectOf(review: KubeObject): UserInfo {
  const extra = fieldsAt(review, "spec.extra");
  return {
    username: stringAt(review, "spec.user", ""),
    uid: stringAt(review, "spec.uid", ""),
    groups: stringsAt(review, "spec.groups"),
    extra: Object.fromEntries(Object.keys(extra).map((key) => [key, stringsAt(extra, key)])),
  };
}

function attributesIn(review: KubeObject, user: UserInfo): Attributes {
  const asked = fieldsAt(review, "spec")["resourceAttributes"];
  if (!isFields(asked)) {
    const other = fieldsAt(review, "spec.nonResourceAttributes");
    return { user, verb: stringAt(other, "verb", ""), path: stringAt(other, "path", "") };
  }
  const field = (name: string) => stringAt(asked, name, "");
  const about = { group: field("group"), resource: field("resource"), subresource: field("subresource") };
  return { user, verb: field("verb"), ...about, namespace: field("namespace"), name: field("name") };
}

/** Models pkg/apis/authorization/validation/validation.go */
function validate(review: KubeObject, access: ReviewedAccess): readonly FieldError[] {
  const spec = fieldsAt(review, "spec");
  const { resourceAttributes: resource, nonResourceAttributes: other } = spec;
  const errors: FieldError[] = [];
  if (isFields(resource) && isFields(other)) {
    const printed = { Path: stringAt(other, "path", ""), Verb: stringAt(other, "verb", "") };
    errors.push(fieldInvalid("spec.nonResourceAttributes", printed, "cannot be specified in combination with resourceAttributes"));
  }
  if (!isFields(resource) && !isFields(other)) {
    const detail = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    errors.push(fieldInvalid("spec.resourceAttributes", null, detail));
  }
  if (access !== "self" && stringAt(spec, "user", "") === "" && stringsAt(spec, "groups").length === 0)
    errors.push(fieldInvalid("spec.user", "", "at least one of user or group must be specified"));
  if (isFields(resource)) for (const kind of ["fieldSelector", "labelSelector"]) errors.push(...validateSelector(resource, kind));
  return [...errors, ...validateMetadata(review, access), ...(access === "local" ? validateLocal(review, resource, other) : [])];
}

function validateSelector(resource: Fields, kind: string): readonly FieldError[] {
  const selector = resource[kind];
  if (!isFields(selector)) return [];
  const path = `spec.resourceAttributes.${kind}`;
  const raw = stringAt(selector, "rawSelector", "");
  const requirements = Array.isArray(selector["requirements"]) ? selector["requirements"].length : 0;
  if (raw !== "" && requirements > 0)
    return [fieldInvalid(`${path}.rawSelector`, raw, "may not specified at the same time as requirements")];
  if (raw !== "" || requirements > 0) return [];
  return [fieldRequired(`${path}.requirements`, `when ${path} is specified, requirements or rawSelector is required`)];
}

function validateMetadata({ metadata }: KubeObject, access: ReviewedAccess): readonly FieldError[] {
  const { managedFields: _managed, namespace, ...rest } = metadata;
  const given = Object.values({ ...rest, ...(access === "local" ? {} : { namespace }) }).filter((value) => value !== undefined);
  if (given.length === 0) return [];
  return [fieldInvalid("metadata", metadata, access === "local" ? "must be empty except for namespace" : "must be empty")];
}

function validateLocal({ metadata }: KubeObject, resource: unknown, other: unknown): readonly FieldError[] {
  const namespace = stringAt(resource, "namespace", "");
  const isElsewhere = isFields(resource) && namespace !== (metadata.namespace ?? "");
  const printed = { Path: stringAt(other, "path", ""), Verb: stringAt(other, "verb", "") };
  return [
    ...(isElsewhere ? [fieldInvalid("spec.resourceAttributes.namespace", namespace, "must match metadata.namespace")] : []),
    ...(isFields(other) ? [fieldInvalid("spec.nonResourceAttributes", printed, "disallowed on this kind of request")] : []),
  ];
}
