import type { Fields, GroupVersionKind, KubeObject } from "../../core/object/index.ts";
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

export type WriteAttributes = Pick<AdmissionAttributes, "subresource" | "objectKind" | "name" | "user" | "dryRun" | "warn" | "internal"> & {
  readonly requestOptions?: Fields;
};

/** What admission is told of a write. */
export function attributesOf(
  operation: ResourceAttributes["operation"],
  resource: ServedResource,
  object: KubeObject,
  { subresource, objectKind, name, user, dryRun, warn, internal, requestOptions = {} }: WriteAttributes,
): ResourceAttributes {
  const options = { kind: optionsKinds[operation], apiVersion: "meta.k8s.io/v1", ...requestOptions };
  return {
    operation,
    resource,
    object,
    options,
    ...(subresource === undefined ? {} : { subresource }),
    ...(objectKind === undefined ? {} : { objectKind }),
    ...(name === undefined ? {} : { name }),
    ...(user === undefined ? {} : { user }),
    ...(dryRun === undefined ? {} : { dryRun }),
    ...(warn === undefined ? {} : { warn }),
    ...(internal === undefined ? {} : { internal }),
  };
}

/** A subresource with a kind of its own, and how it shows an object. */
export type AdmittedView = {
  readonly subresource: string;
  readonly kind: GroupVersionKind;
  readonly show: (object: KubeObject) => KubeObject;
  /** The object as a plugin wants it that has changed what was shown. */
  readonly take: (object: KubeObject, shown: KubeObject) => KubeObject;
};

/** What admission is told of an update. */
export function updateAttributesOf(
  resource: ServedResource,
  live: KubeObject,
  object: KubeObject,
  { admittedAs, ...options }: WriteAttributes & { readonly admittedAs?: AdmittedView },
): ResourceAttributes {
  if (admittedAs === undefined) return { ...attributesOf("UPDATE", resource, object, options), live };
  const { subresource, kind, show } = admittedAs;
  return { ...attributesOf("UPDATE", resource, show(object), { ...options, subresource, objectKind: kind }), live: show(live) };
}
