import { isFields, type Fields } from "../../core/object/index.ts";
import { modelReferenceOf, type OpenApiSchema } from "./schema-from-openapi.ts";

/**
 * An object of a built-in kind with nothing set, as its Go type encodes it: structs that are always there are empty,
 * and required fields are null or have their zero value. What an object has beyond this is what its creator owns.
 *
 * The OpenAPI of the built-in kinds tells: a field that is never left out has its zero value for a default, or is
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

/** A default that is not the zero value comes from elsewhere and is not there before defaults are. */
function zeroOf(models: Readonly<Record<string, OpenApiSchema>>, property: OpenApiSchema): unknown {
  const zero = property["default"];
  if (zero === "" || zero === 0 || zero === false) return zero;
  if (!isFields(zero)) return undefined;
  return blankOf(models, models[modelReferenceOf(property) ?? ""] ?? {});
}
