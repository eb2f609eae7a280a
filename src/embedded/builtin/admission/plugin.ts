import type { KubeObject } from "../../../core/object/index.ts";
import { forbiddenError, type ResourceName, type StatusError } from "../../status-error.ts";

/** The attributes of a write in admission; `live` is the object that it replaces. */
export type AdmissionAttributes = {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly resource: ResourceName & { readonly key: string };
  readonly object: KubeObject;
  readonly live?: KubeObject;
  readonly subresource?: string;
  readonly dryRun?: boolean;
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

/** Models apiserver pkg/admission/errors.go NewForbidden */
export function admissionForbidden({ resource, object }: AdmissionAttributes, why: string): StatusError {
  return forbiddenError(resource, object.metadata.name, why);
}

/** Several messages as one. Models apimachinery pkg/util/errors NewAggregate */
export function aggregateMessages(complaints: readonly string[]): string {
  const distinct = [...new Set(complaints)];
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(", ")}]`;
}
