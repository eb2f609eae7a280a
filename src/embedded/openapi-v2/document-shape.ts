/** How a value of an OpenAPI v2 document is written. */
export type Form =
  | "text"
  | "texts"
  | "bool"
  | "integer"
  | "double"
  /** Any value, which protobuf has as YAML. */
  | "any"
  | "anys"
  | "type"
  | "items"
  | "additionalProperties"
  | "parameter"
  | "security"
  /** Of a response: in protobuf it might be a file too. */
  | "responseSchema"
  | { readonly one: Shape }
  | { readonly named: Shape; readonly field?: number }
  /** Names that lead to a parameter, or to what a token looks like: protobuf has them in a union. */
  | { readonly namedUnion: "parameter" | "securityDefinition" | "response" };

/** A key in the order of JSON, with the number of its field in protobuf. */
type Key = readonly [name: string, field: number, form: Form];

/** The keys of one kind of object. */
export type Shape = {
  readonly keys: readonly Key[];
  /** The field of keys that begin with `x-`, which come last. */
  readonly extensions?: number;
};

// The order of keys models the structs of k8s.io/kube-openapi pkg/validation/spec, the numbers OpenAPIv2.proto of
// github.com/google/gnostic-models.

const schemaKeys: Key[] = [];
/** It is filled below, because it leads back to itself. */
export const schemaShape: Shape = { keys: schemaKeys, extensions: 31 };
schemaKeys.push(
  ["description", 4, "text"],
  ["type", 22, "type"],
  ["format", 2, "text"],
  ["title", 3, "text"],
  ["default", 5, "any"],
  ["maximum", 7, "double"],
  ["exclusiveMaximum", 8, "bool"],
  ["minimum", 9, "double"],
  ["exclusiveMinimum", 10, "bool"],
  ["maxLength", 11, "integer"],
  ["minLength", 12, "integer"],
  ["pattern", 13, "text"],
  ["maxItems", 14, "integer"],
  ["minItems", 15, "integer"],
  ["uniqueItems", 16, "bool"],
  ["multipleOf", 6, "double"],
  ["enum", 20, "anys"],
  ["maxProperties", 17, "integer"],
  ["minProperties", 18, "integer"],
  ["required", 19, "texts"],
  ["items", 23, "items"],
  ["properties", 25, { named: schemaShape }],
  ["additionalProperties", 21, "additionalProperties"],
  ["$ref", 1, "text"],
);

/** A parameter of a path or a query. */
export const parameterShape: Shape = {
  keys: [
    ["uniqueItems", 20, "bool"],
    ["type", 6, "text"],
    ["description", 3, "text"],
    ["name", 4, "text"],
    ["in", 2, "text"],
    ["required", 1, "bool"],
  ],
};

/** The same where the numbers have no `allowEmptyValue` between them. */
export const pathParameterShape: Shape = {
  keys: parameterShape.keys.map(([name, field, form]): Key => [name, field > 4 ? field - 1 : field, form]),
};

export const bodyShape: Shape = {
  keys: [
    ["description", 1, "text"],
    ["name", 2, "text"],
    ["in", 3, "text"],
    ["required", 4, "bool"],
    ["schema", 5, { one: schemaShape }],
  ],
};

export const referenceShape: Shape = { keys: [["$ref", 1, "text"]] };

export const responseShape: Shape = {
  keys: [
    ["description", 1, "text"],
    ["schema", 2, "responseSchema"],
  ],
};

const operationShape: Shape = {
  keys: [
    ["description", 3, "text"],
    ["consumes", 7, "texts"],
    ["produces", 6, "texts"],
    ["schemes", 10, "texts"],
    ["tags", 1, "texts"],
    ["operationId", 5, "text"],
    ["deprecated", 11, "bool"],
    ["parameters", 8, "parameter"],
    ["responses", 9, { namedUnion: "response" }],
  ],
  extensions: 13,
};

const pathItemShape: Shape = {
  keys: [
    ...(["get", "put", "post", "delete", "options", "head", "patch"] as const).map((name, index): Key => {
      return [name, index + 2, { one: operationShape }];
    }),
    ["parameters", 9, "parameter"],
  ],
};

export const tokenShape: Shape = {
  keys: [
    ["description", 4, "text"],
    ["type", 1, "text"],
    ["name", 2, "text"],
    ["in", 3, "text"],
  ],
};

const infoShape: Shape = {
  keys: [
    ["title", 1, "text"],
    ["version", 2, "text"],
  ],
};

export const documentShape: Shape = {
  keys: [
    ["swagger", 1, "text"],
    ["info", 2, { one: infoShape }],
    ["paths", 8, { named: pathItemShape, field: 2 }],
    ["definitions", 9, { named: schemaShape }],
    ["parameters", 10, { namedUnion: "parameter" }],
    ["securityDefinitions", 13, { namedUnion: "securityDefinition" }],
    ["security", 12, "security"],
  ],
};
