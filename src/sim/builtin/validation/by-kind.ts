import type { KubeObject } from "../../../object/index.ts";
import type { FieldError } from "../../field-error.ts";
import { objectMeta, objectMetaUpdate } from "./meta.ts";
import { dnsSubdomain } from "./names.ts";

export type Validation = {
  validate(object: KubeObject): readonly FieldError[];
  validateUpdate(object: KubeObject, live: KubeObject): readonly FieldError[];
  validateStatus(object: KubeObject, live: KubeObject): readonly FieldError[];
};

export function validationFor(key: string): Validation {
  const rules = { name: dnsSubdomain, namespaced: key !== "" };
  return {
    validate: (object) => objectMeta(object, rules),
    validateUpdate: (object, live) => objectMetaUpdate(object, live),
    validateStatus: (object, live) => objectMetaUpdate(object, live),
  };
}
