import { fieldsAt, type KubeObject } from "../../core/object/index.ts";
import type { JsonSchemaProps } from "../schema/index.ts";

export type CrdNames = {
  readonly plural?: string;
  readonly singular?: string;
  readonly kind?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
};

/** The JSON paths of a custom resource's scale subresource. */
export type ScalePaths = { readonly specReplicasPath: string; readonly statusReplicasPath: string; readonly labelSelectorPath?: string };

export type Subresources = { readonly status?: Readonly<Record<string, never>>; readonly scale?: ScalePaths };

export type PrinterColumn = {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
};

export type CrdVersion = {
  readonly name: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchemaProps };
  readonly subresources?: Subresources;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
};

export type Conversion = {
  readonly strategy?: string;
  readonly webhook?: {
    readonly clientConfig?: Readonly<Record<string, unknown>>;
    readonly conversionReviewVersions?: readonly string[] | null;
  };
};

export type CrdSpec = {
  readonly group?: string;
  readonly scope?: string;
  readonly names?: CrdNames;
  readonly versions?: readonly CrdVersion[];
  readonly conversion?: Conversion;
  readonly preserveUnknownFields?: boolean;
};

/** The spec of a CRD. It has been decoded, so its fields have the right types. */
export function crdSpecOf(crd: KubeObject): CrdSpec {
  return fieldsAt(crd, "spec");
}

export type CrdStatus = {
  readonly conditions?: readonly CrdCondition[];
  readonly acceptedNames?: CrdNames;
  readonly storedVersions?: readonly string[];
};

export type CrdCondition = {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
};

export function crdStatusOf(crd: KubeObject): CrdStatus {
  return fieldsAt(crd, "status");
}

export function hasCrdCondition(crd: KubeObject, type: string): boolean {
  return (crdStatusOf(crd).conditions ?? []).some((item) => item.type === type && item.status === "True");
}
