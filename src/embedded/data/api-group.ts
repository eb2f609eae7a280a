/** A resource or subresource of legacy discovery, as on the wire (`deployments`, `deployments/scale`). */
export type ApiResource = {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  /** Only where it is not the group of the list, as for `deployments/scale`. */
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
};

export type ApiVersion = {
  readonly version: string;
  readonly resources: readonly ApiResource[];
  /** Its resources come from CRDs; aggregated discovery then names the group and version of every kind. Default: built in. */
  readonly custom?: boolean;
};

/** A group with its versions, the preferred one first. The core group has no name. */
export type ApiGroup = { readonly name: string; readonly versions: readonly ApiVersion[] };
