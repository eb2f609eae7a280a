import type { Fields, GroupVersionKind, KubeObject } from "../../../core/object/index.ts";
import type { UserInfo } from "../../authentication/index.ts";
import { forbiddenError, type ResourceName, type StatusError } from "../../status-error.ts";
import type { Reinvocation } from "./reinvocation.ts";

/** The attributes of a write in admission. Models apiserver pkg/admission/interfaces.go Attributes */
export type AdmissionAttributes = {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  /** The resource at the version of the request. */
  readonly resource: ResourceName & { readonly key: string; readonly version: string; readonly kind: string };
  /** The subresource that is written. Default: the object itself, without its status. */
  readonly subresource?: string;
  /** The kind of the object, where a subresource has one of its own, such as Scale. Default: that of the resource. */
  readonly objectKind?: GroupVersionKind;
  /** The object as it shall be; of a deletion, the object that is deleted. */
  readonly object: KubeObject;
  /** The name in the request; empty where it names none: a collection is deleted, a name is generated. Default: that of the object. */
  readonly name?: string;
  /** The object that an update replaces. */
  readonly live?: KubeObject;
  /** Who writes. Default: a component of the cluster. */
  readonly user?: UserInfo;
  /** CreateOptions, UpdateOptions or DeleteOptions. Default: those of a component of the cluster. */
  readonly options?: Fields;
  /** Nothing is written, not even to other objects. */
  readonly dryRun?: boolean;
  /** The name of the object that is created was generated. Default: false. */
  readonly unnamed?: boolean;
  /** The API server writes by itself, past webhooks and policies. Default: false. */
  readonly internal?: boolean;
  /** Whether plugins see an object again that webhooks have changed. Default: they do not. */
  readonly reinvocation?: Reinvocation;
  /** Warns the client. Default: nobody listens. */
  readonly warn?: (message: string) => void;
};

/** What plugins read and write in the cluster beside the object itself. */
export type AdmissionContext = {
  read(resource: string, namespace: string, name: string): KubeObject | undefined;
  /** An empty namespace lists all namespaces. */
  list(resource: string, namespace?: string): readonly KubeObject[];
  /** A prefix with a random suffix. */
  generateName(prefix: string): string;
  /** Writes the usage to the quota's status. */
  updateQuotaUsage(quota: KubeObject, used: Readonly<Record<string, string>>): void;
};

/** Returns the object as the plugin leaves it: the same one when nothing changes. Throws a StatusError to reject the write. */
export type MutatingPlugin = (object: KubeObject, attributes: AdmissionAttributes, context: AdmissionContext) => KubeObject;

/** Throws a StatusError to reject the write. */
export type ValidatingPlugin = (attributes: AdmissionAttributes, context: AdmissionContext) => void;

/** One plugin of the chain. */
export type AdmissionPlugin = {
  /** As in kube-apiserver --enable-admission-plugins. */
  readonly name: string;
  /** The group resources that it looks at. Default: all. */
  readonly resources?: readonly string[];
  /** The subresources whose writes it looks at, or all. Default: none, the object itself alone. */
  readonly subresources?: readonly string[] | "all";
  /** Looks at creates and updates before they are validated. */
  readonly admit?: MutatingPlugin;
  /** Looks at creates, updates and deletions that are valid. */
  readonly validate?: ValidatingPlugin;
};

/** Models apiserver pkg/admission/errors.go NewForbidden */
export function admissionForbidden(attributes: AdmissionAttributes, why: string): StatusError {
  return forbiddenError(attributes.resource, titleOf(attributes), why);
}

/** The name in the request, or what stands for it: a name that is generated from this, and is generated after the first plugins. */
function titleOf({ operation, object, name = object.metadata.name, unnamed = false }: AdmissionAttributes): string {
  const { generateName = "" } = object.metadata;
  const other = operation === "DELETE" ? "" : unnamed ? generateName : object.metadata.name;
  return name || other || "Unknown";
}

/** Several messages as one. Models apimachinery pkg/util/errors NewAggregate */
export function aggregateMessages(complaints: readonly string[]): string {
  const distinct = [...new Set(complaints)];
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(", ")}]`;
}
