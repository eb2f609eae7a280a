import type { JsonSchemaProps } from "./json-schema-props.ts";

const scalars: Readonly<Record<string, string>> = { string: "string", boolean: "bool", integer: "int64", number: "float64" };

/** The Go struct of a built-in schema: `DeploymentSpec`. */
export function goStructOfSchema(schema: JsonSchemaProps): string {
  const name = schema.definition ?? schema.$ref ?? "";
  return name.slice(name.lastIndexOf(".") + 1);
}

/** How Go prints the type of a value of a built-in kind: `int32`, `[]v1.Container`, `v1.PullPolicy`. */
export function goTypeOfSchema(schema: JsonSchemaProps): string {
  const name = schema.definition ?? schema.$ref;
  if (name !== undefined) return name.split(".").slice(-2).join(".");
  if (schema.goType !== undefined) return schema.goType;
  if (schema.type === "array") return `[]${goTypeOfSchema(schema.items ?? {})}`;
  if (schema.type === "object")
    return `map[string]${typeof schema.additionalProperties === "object" ? goTypeOfSchema(schema.additionalProperties) : "interface {}"}`;
  if (schema.type === "integer" && schema.format === "int32") return "int32";
  if (schema.type === "string" && schema.format === "byte") return "[]uint8";
  return scalars[schema.type ?? ""] ?? "interface {}";
}
