/** The types of a structural schema. */
type SchemaType = "object" | "array" | "string" | "integer" | "number" | "boolean";

/** One entry of `x-kubernetes-validations`. */
export type ValidationRule = {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: "FieldValueInvalid" | "FieldValueForbidden" | "FieldValueRequired" | "FieldValueDuplicate";
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
};

/**
 * A schema as the API server uses it: the structural schema of a custom resource, or the schema of a built-in kind.
 *
 * Built-in schemas are linked: references are resolved in place. They are shared and may refer to themselves; never
 * write to them.
 */
export type JsonSchemaProps = {
  /** Only in a schema that is not linked yet. */
  readonly $ref?: string;
  /** The name of the built-in schema that this node is or refers to: `io.k8s.api.core.v1.Container`. */
  readonly definition?: string;
  /** The Go type of a field of a built-in kind, where it does not follow from the schema: `v1.PullPolicy`. */
  readonly goType?: string;
  /** The embedded Go struct that a field of a built-in kind comes from: `VolumeSource`. */
  readonly goEmbedded?: string;
  readonly type?: SchemaType;
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchemaProps>>;
  readonly additionalProperties?: JsonSchemaProps | boolean;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: JsonSchemaProps;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly allOf?: readonly JsonSchemaProps[];
  readonly anyOf?: readonly JsonSchemaProps[];
  readonly oneOf?: readonly JsonSchemaProps[];
  readonly not?: JsonSchemaProps;
  readonly example?: unknown;
  readonly externalDocs?: unknown;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  readonly "x-kubernetes-patch-strategy"?: string;
  readonly "x-kubernetes-patch-merge-key"?: string;
  readonly "x-kubernetes-group-version-kind"?: readonly { readonly group: string; readonly version: string; readonly kind: string }[];
  readonly "x-kubernetes-unions"?: readonly {
    readonly discriminator?: string;
    readonly "fields-to-discriminateBy"?: Readonly<Record<string, string>>;
  }[];
  readonly "x-kubernetes-validations"?: readonly ValidationRule[];
};
