import type { KubeObject } from "../../../core/object/index.ts";
import type { FieldError } from "../../field-error.ts";

/** What the server refuses in objects of one kind: what its strategy's Validate, ValidateUpdate and its status strategy's ValidateUpdate say. */
export type KindRules = {
  create(object: KubeObject): readonly FieldError[];
  update(object: KubeObject, live: KubeObject): readonly FieldError[];
  /** Default: metadata only. */
  readonly status?: (object: KubeObject, live: KubeObject) => readonly FieldError[];
};
