import { fieldsAt, type KubeObject } from "../../core/object/index.ts";
import type { Schema } from "../schema/index.ts";

export type DefinitionNames = {
  readonly plural?: string;
  readonly singular?: string;
  readonly kind?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
};

/** Where a custom resource keeps what its scale subresource shows. */
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

export type DefinitionVersion = {
  readonly name: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: Schema };
  readonly subresources?: Subresources;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
};

export type Conversion = {
  readonly strategy?: string;
  readonly webhook?: { readonly clientConfig?: Readonly<Record<string, unknown>>; readonly conversionReviewVersions?: readonly string[] };
};

export type DefinitionSpec = {
  readonly group?: string;
  readonly scope?: string;
  readonly names?: DefinitionNames;
  readonly versions?: readonly DefinitionVersion[];
  readonly conversion?: Conversion;
  readonly preserveUnknownFields?: boolean;
};

/** The spec of a CustomResourceDefinition. Its fields have the right types: it was decoded before it came here. */
export function specOf(definition: KubeObject): DefinitionSpec {
  return fieldsAt(definition, "spec");
}

export type DefinitionStatus = {
  readonly conditions?: readonly DefinitionCondition[];
  readonly acceptedNames?: DefinitionNames;
  readonly storedVersions?: readonly string[];
};

export type DefinitionCondition = {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
};

export function statusOf(definition: KubeObject): DefinitionStatus {
  return fieldsAt(definition, "status");
}

export function hasCondition(definition: KubeObject, type: string): boolean {
  return (statusOf(definition).conditions ?? []).some((item) => item.type === type && item.status === "True");
}
