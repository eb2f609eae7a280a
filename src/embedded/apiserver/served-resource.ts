import type { KubeObject } from "../../core/object/index.ts";
import { convertBuiltIn } from "../builtin/index.ts";
import type { ServedCrdVersion } from "../crd/index.ts";
import type { MergeType } from "../managedfields/index.ts";
import type { CheckRules } from "../schema/index.ts";

/** One resource at one version, as in discovery. */
export type ServedResource = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Names of the subresources: `status`, `scale`, `log`… */
  readonly subresources: ReadonlySet<string>;
  /** The group resource; the same for all versions. */
  readonly key: string;
  /** The version in which its objects are stored. */
  readonly storageVersion: string;
  /** The group in which its objects are stored. Default: its own. */
  readonly storageGroup?: string;
  /** Only custom resources have this: the part of their CRD that concerns this version. */
  readonly custom?: CustomResource;
};

export type CustomResource = {
  readonly crd: KubeObject;
  readonly served: ServedCrdVersion;
  /** The rules of `x-kubernetes-validations`, if there are any. */
  readonly rules: CheckRules | undefined;
  /** The merge type of another version of the same CRD. */
  readonly servedType: (apiVersion: string) => MergeType | undefined;
};

export function apiVersionFor({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === "" ? version : `${group}/${version}`;
}

/** The apiVersion in which objects of the resource are stored. */
export function storageApiVersionOf({ group, storageGroup = group, storageVersion }: ServedResource): string {
  return apiVersionFor({ group: storageGroup, version: storageVersion });
}

/** Whether objects of the resource are stored in a version that has other fields. */
export function isConverted(resource: ServedResource): boolean {
  return resource.custom === undefined && apiVersionFor(resource) !== storageApiVersionOf(resource);
}

/** The object in another version. Custom resources have the None conversion only: nothing but the apiVersion changes. */
export function inVersion(object: KubeObject, apiVersion: string): KubeObject {
  if (object.apiVersion === apiVersion) return object;
  return convertBuiltIn(object, apiVersion) ?? { ...object, apiVersion };
}

/**
 * A built-in object in the version that is validated and stored, without the defaults of that version: these are filled
 * in where it is read from storage. Custom objects are validated in the version of the request.
 */
export function inStorageVersion(resource: ServedResource, object: KubeObject): KubeObject {
  return isConverted(resource) ? inVersion(object, storageApiVersionOf(resource)) : object;
}

/** The kind that errors of validation name. */
export function storedKindOf({ group, storageGroup = group, kind }: ServedResource): { group: string; kind: string } {
  return { group: storageGroup, kind };
}
