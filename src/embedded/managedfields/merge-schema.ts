import type { Json } from "../../core/object/index.ts";

/**
 * The schema of structured-merge-diff, as plain data: `schemaYAML` of k8s.io/client-go/applyconfigurations/internal, as
 * JSON, is a MergeSchema.
 */
export type MergeSchema = { readonly types: readonly TypeDef[] };

export type TypeDef = Atom & { readonly name: string };

/** The possible forms of a value; several for values whose type is deduced. */
export type Atom = { readonly scalar?: ScalarType; readonly list?: ListDef; readonly map?: MapDef };

export type ScalarType = "numeric" | "string" | "boolean" | "untyped";

/** How the elements of a list or map relate: as one value, by key, or separately. */
export type Relationship = "atomic" | "associative" | "separable";

/** A named type or one written in place; `elementRelationship` overrides that of the list or map referred to. */
export type TypeRef = Atom & { readonly namedType?: string; readonly elementRelationship?: Relationship };

export type ListDef = {
  readonly elementType: TypeRef;
  readonly elementRelationship?: Relationship;
  /** The fields that identify the items of an associative list; without any it is a set of scalars. */
  readonly keys?: readonly string[];
};

export type MapDef = {
  readonly fields?: readonly FieldDef[];
  /** The type of undeclared fields; without it they are errors. */
  readonly elementType?: TypeRef;
  readonly elementRelationship?: Relationship;
};

export type FieldDef = { readonly name: string; readonly type: TypeRef; readonly default?: Json };

/** The name of the type of untyped atomic values. */
export const untypedAtomic = "__untyped_atomic_";

/** The name of the type of untyped values: maps are merged, lists are atomic. */
export const untypedDeduced = "__untyped_deduced_";

/** The types that every schema may refer to. Models kube-openapi pkg/schemaconv/smd.go */
export const commonTypes: readonly TypeDef[] = [
  {
    name: untypedAtomic,
    scalar: "untyped",
    list: { elementType: { namedType: untypedAtomic }, elementRelationship: "atomic" },
    map: { elementType: { namedType: untypedAtomic }, elementRelationship: "atomic" },
  },
  {
    name: untypedDeduced,
    scalar: "untyped",
    list: { elementType: { namedType: untypedAtomic }, elementRelationship: "atomic" },
    map: { elementType: { namedType: untypedDeduced }, elementRelationship: "separable" },
  },
];
