import { isFields, type KubeObject } from "../../../core/object/index.ts";
import { required, type FieldError } from "../../field-error.ts";
import { isUnset } from "../edit.ts";
import { nonNegative } from "./check.ts";
import type { KindRules } from "./kind.ts";
import { coreMeta, coreMetaUpdate, unchanged } from "./meta.ts";
import { dnsSubdomain } from "./names.ts";

// Models pkg/apis/apps/validation/validation.go ValidateControllerRevisionCreate and its update

function revision(object: KubeObject): readonly FieldError[] {
  const number = nonNegative(object, "revision", "").map((error) => ({ ...error, field: "revision" }));
  return [...coreMeta(object, { name: dnsSubdomain, namespaced: true }), ...number];
}

function data(object: KubeObject): readonly FieldError[] {
  if (isUnset(object["data"])) return [required("data", "data is mandatory")];
  return isFields(object["data"]) ? [] : [required("data", "data must be a valid JSON object")];
}

export const controllerRevisionRules: KindRules = {
  create: (object) => [...revision(object), ...data(object)],
  update: (object, live) => [...coreMetaUpdate(object, live), ...revision(object), ...unchanged(object["data"], live["data"], "data")],
};
