import type { KubeObject } from "../../core/object/index.ts";
import type { Resource } from "./resource.ts";

/** A write on its way. */
export type Attempt = {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly resource: Resource;
  readonly object: KubeObject;
  readonly live?: KubeObject;
  /** The part of the object that is written: all but the status by default. */
  readonly subresource?: string;
  /** Nothing is to be written, not even beside the object. */
  readonly dryRun?: boolean;
};

/** What decides on writes by looking at other objects too. A refusal is thrown. */
export interface Admission {
  mutate(attempt: Attempt): KubeObject;
  validate(attempt: Attempt): void;
}
