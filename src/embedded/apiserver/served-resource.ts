import type { KubeObject } from "../../core/object/index.ts";
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

/** The object in another version. Only the None conversion exists, so nothing but the apiVersion changes. */
export function inVersion(object: KubeObject, apiVersion: string): KubeObject {
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}
