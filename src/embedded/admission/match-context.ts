import type { KubeObject } from "../../core/object/index.ts";
import type { Authorizer } from "../authorization/index.ts";

/** A resource at one version, by the kind of its objects. */
export type ResourceVersion = { readonly group: string; readonly version: string; readonly plural: string; readonly kind: string };

/** What is needed of the API server to tell which writes are meant, and to show them. */
export type MatchContext = {
  readonly authorizer: Authorizer;
  read(resource: string, namespace: string, name: string): KubeObject | undefined;
  /** Sorted by namespace and name; an empty namespace lists all namespaces. */
  list(resource: string, namespace?: string): readonly KubeObject[];
  /** All versions that are served of a group resource, and of others that store the same objects. */
  versionsOf(key: string): readonly ResourceVersion[];
  convert(object: KubeObject, to: ResourceVersion): KubeObject;
};
