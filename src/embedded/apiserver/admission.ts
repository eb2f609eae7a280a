import type { Fields, KubeObject } from "../../core/object/index.ts";
import type { AdmissionAttributes } from "../builtin/index.ts";
import type { ServedResource } from "./served-resource.ts";

/** The attributes of a write to a resource that is served. */
export type ResourceAttributes = AdmissionAttributes & { readonly resource: ServedResource };

/** Decides on a write by looking at other objects too. Throws a StatusError to reject it. */
export type Admission = {
  mutate(attributes: ResourceAttributes): KubeObject;
  validate(attributes: ResourceAttributes): void;
};

const optionsKinds = { CREATE: "CreateOptions", UPDATE: "UpdateOptions", DELETE: "DeleteOptions" } as const;

type WriteAttributes = Pick<AdmissionAttributes, "subresource" | "user" | "dryRun" | "warn" | "internal"> & {
  readonly requestOptions?: Fields;
};

/** What admission is told of a write. */
export function attributesOf(
  operation: ResourceAttributes["operation"],
  resource: ServedResource,
  object: KubeObject,
  { subresource, user, dryRun, warn, internal, requestOptions = {} }: WriteAttributes,
): ResourceAttributes {
  const options = { kind: optionsKinds[operation], apiVersion: "meta.k8s.io/v1", ...requestOptions };
  return {
    operation,
    resource,
    object,
    options,
    ...(subresource === undefined ? {} : { subresource }),
    ...(user === undefined ? {} : { user }),
    ...(dryRun === undefined ? {} : { dryRun }),
    ...(warn === undefined ? {} : { warn }),
    ...(internal === undefined ? {} : { internal }),
  };
}
