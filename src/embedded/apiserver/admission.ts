import type { KubeObject } from "../../core/object/index.ts";
import type { UserInfo } from "../authentication/index.ts";
import type { ServedResource } from "./served-resource.ts";

/** The attributes of a write in admission. */
export type AdmissionAttributes = {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly resource: ServedResource;
  readonly object: KubeObject;
  readonly live?: KubeObject;
  /** The subresource that is written. Default: the object itself, without its status. */
  readonly subresource?: string;
  /** Who writes. Default: a component of the cluster. */
  readonly user?: UserInfo;
  /** Nothing is written, not even to other objects. */
  readonly dryRun?: boolean;
};

/** Decides on a write by looking at other objects too. Throws a StatusError to reject it. */
export type Admission = {
  mutate(attributes: AdmissionAttributes): KubeObject;
  validate(attributes: AdmissionAttributes): void;
};
