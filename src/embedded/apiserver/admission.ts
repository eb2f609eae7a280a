import type { KubeObject } from "../../core/object/index.ts";
import type { ServedResource } from "./served-resource.ts";

/** A write on its way. */
export type AdmissionAttributes = {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly resource: ServedResource;
  readonly object: KubeObject;
  readonly live?: KubeObject;
  /** The part of the object that is written: all but the status by default. */
  readonly subresource?: string;
  /** Nothing is to be written, not even beside the object. */
  readonly dryRun?: boolean;
};

/** Decides on a write by looking at other objects too. Throws a StatusError to reject it. */
export type Admission = {
  mutate(attributes: AdmissionAttributes): KubeObject;
  validate(attributes: AdmissionAttributes): void;
};
