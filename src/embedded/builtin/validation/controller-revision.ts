import { isFields, type KubeObject } from "../../../core/object/index.ts";
import { fieldRequired, type FieldError } from "../../field-error.ts";
import { isUnset } from "../field-edits.ts";
import { checkNonNegative } from "./field-checks.ts";
import type { KindRules } from "./kind-rules.ts";
import { validateCoreObjectMeta, validateCoreObjectMetaUpdate, validateImmutableField } from "./object-meta.ts";
import { checkDnsSubdomain } from "./name-formats.ts";

// Models pkg/apis/apps/validation/validation.go ValidateControllerRevisionCreate and its update

function revision(object: KubeObject): readonly FieldError[] {
  const number = checkNonNegative(object, "revision", "").map((error) => ({ ...error, field: "revision" }));
  return [...validateCoreObjectMeta(object, { name: checkDnsSubdomain, namespaced: true }), ...number];
}

function data(object: KubeObject): readonly FieldError[] {
  if (isUnset(object["data"])) return [fieldRequired("data", "data is mandatory")];
  return isFields(object["data"]) ? [] : [fieldRequired("data", "data must be a valid JSON object")];
}

export const controllerRevisionRules: KindRules = {
  create: (object) => [...revision(object), ...data(object)],
  update: (object, live) => [
    ...validateCoreObjectMetaUpdate(object, live),
    ...revision(object),
    ...validateImmutableField(object["data"], live["data"], "data"),
  ],
};
