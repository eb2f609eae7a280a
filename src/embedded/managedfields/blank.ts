import { isFields, type Fields } from "../../core/object/index.ts";
import { modelReferenceOf, type OpenApiSchema } from "./schema-from-openapi.ts";

/**
 * The zero value of a built-in kind, as its Go type encodes it: structs that are always present are empty, and required
 * fields are null or zero. The creator of an object owns all its other fields.
 *
 * The OpenAPI of the built-in kinds contains it: a field that is never omitted has its zero value as default, or is
 * required.
 */
export function blankFromOpenApi(models: Readonly<Record<string, OpenApiSchema>>, name: string): Fields {
  return blankOf(models, models[name] ?? {});
}

function blankOf(models: Readonly<Record<string, OpenApiSchema>>, model: OpenApiSchema): Fields {
  const properties = isFields(model["properties"]) ? model["properties"] : {};
  const required: readonly unknown[] = Array.isArray(model["required"]) ? model["required"] : [];
  const blank: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (!isFields(property)) continue;
    const value = zeroOf(models, property);
    if (value !== undefined) blank[name] = value;
    else if (required.includes(name)) blank[name] = null;
  }
  return blank;
}

/** A default other than the zero value is set by defaulting, later. */
function zeroOf(models: Readonly<Record<string, OpenApiSchema>>, property: OpenApiSchema): unknown {
  const zero = property["default"];
  if (zero === "" || zero === 0 || zero === false) return zero;
  if (!isFields(zero)) return undefined;
  return blankOf(models, models[modelReferenceOf(property) ?? ""] ?? {});
}
