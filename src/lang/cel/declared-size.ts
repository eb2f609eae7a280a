import { escapeName } from "./escape.ts";
import { asResource, type CelSchema, type SchemaDeclaration } from "./schema.ts";

/**
 * The sizes that a schema allows its values to have, as far as one request can carry them.
 *
 * Models apiserver pkg/cel/common/schemas.go SchemaDeclType
 */
export type DeclaredSize = {
  /** The largest size: characters, elements or entries. 0 for what has no size. */
  readonly maxElements: number;
  /** The fewest bytes that the JSON of a value takes. */
  readonly minBytes: number;
  /** The elements of a list or the values of a map. */
  readonly element?: DeclaredSize;
  readonly isMap?: boolean;
  /** The fields of an object, by the names that expressions use. */
  readonly fields?: ReadonlyMap<string, DeclaredSize>;
};

const maxRequestBytes = 3 * 1024 * 1024;
/** The longest string of a request: all of it but the quotation marks, or brackets. */
const maxContent = maxRequestBytes - 2;

/** The size of a map's keys: Kubernetes does not bound them. */
export const keySize: DeclaredSize = { maxElements: 0, minBytes: 2 };

/** The sizes of a variable; undefined when expressions cannot reach it. */
export function declaredSizeOf({ schema, isResource }: SchemaDeclaration): DeclaredSize | undefined {
  return sizeOfSchema(schema, isResource);
}

/** How many values of at least this size one request can hold. Models apiextensions pkg/apiserver/schema/cel/compilation.go */
export function maxCardinalityOf({ minBytes }: DeclaredSize): number {
  return Math.floor(maxRequestBytes / (minBytes + 1));
}

/** The rules of a schema share the sizes of its parts. */
const known = new WeakMap<CelSchema, { readonly size: DeclaredSize | undefined }>();

function sizeOfSchema(schema: CelSchema, isResource = schema["x-kubernetes-embedded-resource"] === true): DeclaredSize | undefined {
  const described = isResource ? asResource(schema) : schema;
  const found = known.get(described) ?? { size: measured(described) };
  known.set(described, found);
  return found.size;
}

function measured(schema: CelSchema): DeclaredSize | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) return { maxElements: maxLengthOf(schema), minBytes: 1 };
  switch (schema.type) {
    case "array":
      return sizeOfList(schema);
    case "object":
      return sizeOfObject(schema);
    case "string":
      return sizeOfString(schema);
    case "boolean":
      return { maxElements: 0, minBytes: 4 };
    case "number":
    case "integer":
      return { maxElements: 0, minBytes: 1 };
    default:
      return undefined;
  }
}

function maxLengthOf({ maxLength }: CelSchema): number {
  // maxLength counts code points; the estimate counts bytes, of which a code point takes up to four.
  return maxLength === undefined ? maxContent : Math.max(maxLength, 0) * 4;
}

const formatSizes: Readonly<Record<string, DeclaredSize | undefined>> = {
  duration: { maxElements: 32, minBytes: 3 },
  date: { maxElements: 12, minBytes: 12 },
  "date-time": { maxElements: 32, minBytes: 21 },
};

function sizeOfString(schema: CelSchema): DeclaredSize {
  const { format = "", maxLength, enum: values = [] } = schema;
  const formatted = formatSizes[format];
  if (formatted !== undefined) return formatted;
  if (format === "byte") return { maxElements: Math.max(maxLength ?? maxContent, 0), minBytes: 2 };
  if (maxLength !== undefined || values.length === 0) return { maxElements: maxLengthOf(schema), minBytes: 2 };
  return { maxElements: Math.max(...values.map((value) => (typeof value === "string" ? bytesIn(value) : 0))), minBytes: 2 };
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}

function sizeOfList({ items, maxItems }: CelSchema): DeclaredSize | undefined {
  const element = items === undefined ? undefined : sizeOfSchema(items);
  if (element === undefined) return undefined;
  const maxElements = maxItems === undefined ? Math.floor(maxContent / (element.minBytes + 1)) : Math.max(maxItems, 0);
  return { maxElements, minBytes: 2, element };
}

function sizeOfObject(schema: CelSchema): DeclaredSize | undefined {
  const { additionalProperties, maxProperties } = schema;
  if (typeof additionalProperties !== "object") return sizeOfFields(schema);
  const element = sizeOfSchema(additionalProperties);
  if (element === undefined) return undefined;
  // A key takes two quotation marks, two characters, a colon and a comma.
  const maxElements = maxProperties === undefined ? Math.floor(maxContent / (element.minBytes + 6)) : Math.max(maxProperties, 0);
  return { maxElements, minBytes: 2, element, isMap: true };
}

function sizeOfFields({ properties = {}, required = [] }: CelSchema): DeclaredSize {
  const fields = new Map<string, DeclaredSize>();
  let minBytes = 2;
  for (const [name, property] of Object.entries(properties)) {
    const size = sizeOfSchema(property);
    if (size === undefined) continue;
    const escaped = escapeName(name);
    if (escaped !== undefined) fields.set(escaped, size);
    // The server fills in defaults, so a request can leave them out.
    const hasDefault = property.default !== undefined && property.default !== null;
    if (required.includes(name) && !hasDefault) minBytes += bytesIn(name) + size.minBytes + 4;
  }
  return { maxElements: 0, minBytes, fields };
}
