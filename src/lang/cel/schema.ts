import { escapeName, isKeyword, unescapeName } from "./escape.ts";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  stringType,
  timestampType,
  type CelType,
  type StructType,
} from "./type.ts";

/** The fields of an OpenAPI schema that CEL reads. */
export type CelSchema = {
  /** `dyn` stands for any JSON, which no schema of a resource can say. */
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, CelSchema>>;
  readonly additionalProperties?: CelSchema | boolean;
  readonly items?: CelSchema;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
};

/** A variable whose values a schema describes. */
export type SchemaDeclaration = {
  readonly schema: CelSchema;
  /** The schema is that of a whole resource: expressions reach apiVersion, kind, metadata.name and metadata.generateName. */
  readonly isResource: boolean;
};

const text: CelSchema = { type: "string" };
const metadata: CelSchema = { type: "object", properties: { name: text, generateName: text } };
const resources = new WeakMap<CelSchema, CelSchema>();

/** The schema with the fields of every resource added. Models apiserver pkg/cel/common/schemas.go WithTypeAndObjectMeta */
export function asResource(schema: CelSchema): CelSchema {
  const known = resources.get(schema);
  if (known !== undefined) return known;
  const names = schema.properties?.["metadata"]?.properties;
  const isWhole = [schema.properties?.["kind"], schema.properties?.["apiVersion"], names?.["name"], names?.["generateName"]];
  const resource = isWhole.every((each) => each?.type === "string")
    ? schema
    : { ...schema, properties: { ...schema.properties, kind: text, apiVersion: text, metadata } };
  resources.set(schema, resource);
  return resource;
}

/**
 * The type that a schema declares; undefined when expressions cannot reach it. `name` is the type name in messages.
 *
 * Models apiserver pkg/cel/common/schemas.go SchemaDeclType
 */
export function typeOfSchema(
  schema: CelSchema,
  name: string,
  isResource = schema["x-kubernetes-embedded-resource"] === true,
): CelType | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) return dynType;
  const described = isResource ? asResource(schema) : schema;
  switch (described.type) {
    case "array":
      return typeOfItems(described, name);
    case "object":
      return typeOfObject(described, name);
    case "string":
      return formats[described.format ?? ""] ?? stringType;
    case "boolean":
      return boolType;
    case "number":
      return doubleType;
    case "integer":
      return intType;
    case "dyn":
      return dynType;
    default:
      return undefined;
  }
}

const formats: Readonly<Record<string, CelType | undefined>> = {
  byte: bytesType,
  duration: durationType,
  date: timestampType,
  "date-time": timestampType,
};

function typeOfItems({ items }: CelSchema, name: string): CelType | undefined {
  const element = items === undefined ? undefined : typeOfSchema(items, `${name}.@idx`);
  return element === undefined ? undefined : listType(element);
}

function typeOfObject(schema: CelSchema, name: string): CelType | undefined {
  if (typeof schema.additionalProperties === "object") {
    const value = typeOfSchema(schema.additionalProperties, `${name}.@elem`);
    return value === undefined ? undefined : mapType(stringType, value);
  }
  return structOf(schema, name);
}

/** Field types are resolved lazily: schemas of resources are large and rules are short. */
function structOf({ properties = {} }: CelSchema, name: string): StructType {
  const known = new Map<string, CelType | undefined>();
  const lookUp = (field: string): CelType | undefined => {
    const plain = unescapeName(field);
    if (plain === undefined || !Object.hasOwn(properties, plain) || (escapeName(plain) !== field && !isKeyword(field))) return undefined;
    const schema = properties[plain];
    return schema === undefined ? undefined : typeOfSchema(schema, `${name}.${field}`);
  };
  const fieldType = (field: string): CelType | undefined => {
    if (!known.has(field)) known.set(field, lookUp(field));
    return known.get(field);
  };
  return { kind: "struct", name, fieldType };
}
