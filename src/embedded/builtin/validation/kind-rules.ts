import type { KubeObject } from "../../../core/object/index.ts";
import type { FieldError } from "../../field-error.ts";

/** The validation of one kind: Validate and ValidateUpdate of its strategy, and ValidateUpdate of its status strategy. */
export type KindRules = {
  create(object: KubeObject): readonly FieldError[];
  update(object: KubeObject, live: KubeObject): readonly FieldError[];
  /** Default: metadata only. */
  readonly status?: (object: KubeObject, live: KubeObject) => readonly FieldError[];
};
