/** A type of the structured-merge-diff schema, as sigs.k8s.io/structured-merge-diff writes it in YAML. */
export type MergeType = { readonly scalar?: MergeScalar; readonly list?: MergeList; readonly map?: MergeMap };

export type MergeScalar = "string" | "numeric" | "boolean" | "untyped";

/** A type by name, or one that is written out. The relationship, where given, wins over that of the named type. */
export type MergeTypeRef = MergeType & { readonly namedType?: string; readonly elementRelationship?: MergeRelationship };

export type MergeRelationship = "associative" | "atomic" | "separable";

export type MergeList = { readonly elementType: MergeTypeRef; readonly elementRelationship: MergeRelationship; readonly keys?: readonly string[] };

export type MergeMap = {
  readonly fields?: readonly MergeField[];
  readonly elementType?: MergeTypeRef;
  readonly elementRelationship?: MergeRelationship;
  readonly unions?: readonly unknown[];
};

export type MergeField = { readonly name: string; readonly type: MergeTypeRef; readonly default?: unknown };

export type MergeTypes = Readonly<Record<string, MergeType>>;
