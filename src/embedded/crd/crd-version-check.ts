import { fieldDuplicate, fieldInvalid, fieldRequired, fieldTooMany, type FieldError } from "../field-error.ts";
import { childPath, followFieldPath, itemPath, type JsonSchemaProps } from "../schema/index.ts";
import type { CrdVersion, PrinterColumn, ScalePaths, Subresources } from "./crd.ts";

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
const mostSelectableFields = 8;

/** Models apiextensions pkg/apis/apiextensions/validation/validation.go ValidateCustomResourceColumnDefinition */
export function checkColumn(
  { name = "", type = "", format = "", jsonPath = "" }: Partial<PrinterColumn>,
  path: string,
): readonly FieldError[] {
  const at = (field: string) => childPath(path, field);
  const known = `must be one of ${columnTypes.join(",")}`;
  const found: FieldError[] = [];
  if (name === "") found.push(fieldRequired(at("name")));
  if (type === "") found.push(fieldRequired(at("type"), known));
  else if (!columnTypes.includes(type)) found.push(fieldInvalid(at("type"), type, known));
  if (format !== "" && !columnFormats.includes(format))
    found.push(fieldInvalid(at("format"), format, `must be one of ${columnFormats.join(",")}`));
  if (jsonPath === "") found.push(fieldRequired(at("JSONPath")));
  else if (!jsonPath.startsWith(".")) found.push(notSimple(jsonPath, at("JSONPath")));
  return found;
}

function notSimple(jsonPath: string, path: string): FieldError {
  return fieldInvalid(path, jsonPath, "must be a simple json path starting with .");
}

export function checkSubresources(subresources: Subresources | undefined, path: string): readonly FieldError[] {
  const scale: Partial<ScalePaths> | undefined = subresources?.scale;
  if (scale === undefined) return [];
  const { specReplicasPath = "", statusReplicasPath = "", labelSelectorPath = "" } = scale;
  const at = (field: string) => childPath(path, `scale.${field}`);
  return [
    ...checkUnder(specReplicasPath, [".spec."], "should be a json path under .spec", at("specReplicasPath")),
    ...checkUnder(statusReplicasPath, [".status."], "should be a json path under .status", at("statusReplicasPath")),
    ...(labelSelectorPath === ""
      ? []
      : checkUnder(
          labelSelectorPath,
          [".spec.", ".status."],
          "should be a json path under either .spec or .status",
          at("labelSelectorPath"),
        )),
  ];
}

function checkUnder(jsonPath: string, roots: readonly string[], why: string, path: string): readonly FieldError[] {
  if (jsonPath === "") return [fieldRequired(path)];
  if (!jsonPath.startsWith(".")) return [notSimple(jsonPath, path)];
  return roots.some((root) => jsonPath.startsWith(root)) ? [] : [fieldInvalid(path, jsonPath, why)];
}

/** Models apiextensions pkg/apis/apiextensions/validation/validation.go ValidateCustomResourceSelectableFields */
export function checkSelectableFields(
  fields: CrdVersion["selectableFields"] = [],
  schema: JsonSchemaProps | undefined,
  path: string,
): readonly FieldError[] {
  const seen = new Set<string>();
  const found = fields.flatMap(({ jsonPath = "" }, index) => {
    const at = childPath(itemPath(path, index), "jsonPath");
    if (jsonPath === "") return [fieldRequired(at)];
    const target = followFieldPath(jsonPath, schema ?? {}, { arrays: false });
    if (typeof target === "string") return [fieldInvalid(at, jsonPath, `is an invalid path: ${target}`)];
    const isRepeated = seen.has(target.path);
    seen.add(target.path);
    return [...checkTarget(target, jsonPath, at), ...(isRepeated ? [fieldDuplicate(at, jsonPath)] : [])];
  });
  return seen.size > mostSelectableFields ? [...found, fieldTooMany(path, seen.size, mostSelectableFields)] : found;
}

const selectable: ReadonlySet<string | undefined> = new Set(["string", "boolean", "integer"]);

function checkTarget(
  { names, schema }: { names: readonly string[]; schema: JsonSchemaProps },
  jsonPath: string,
  at: string,
): readonly FieldError[] {
  const found: FieldError[] = [];
  if (names[0] === "metadata") found.push(fieldInvalid(at, jsonPath, "must not point to fields in metadata"));
  if (!selectable.has(schema.type)) {
    const why = "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
    found.push(fieldInvalid(at, jsonPath, why));
  }
  return found;
}

export function checkDeprecation({ deprecated = false, deprecationWarning }: CrdVersion, path: string): readonly FieldError[] {
  if (deprecationWarning === undefined) return [];
  const at = childPath(path, "deprecationWarning");
  if (!deprecated) return [fieldInvalid(at, deprecationWarning, "can only be set for deprecated versions")];
  const wrong: string[] = [];
  if (deprecationWarning.length > 256) wrong.push("must be <= 256 characters long");
  if (deprecationWarning === "") wrong.push("must not be an empty string");
  const control = [...deprecationWarning].findIndex((letter) => /[\p{C}\u2028\u2029]/u.test(letter));
  if (control >= 0) wrong.push(`must only contain printable UTF-8 characters; non-printable character found at index ${control}`);
  return wrong.map((why) => fieldInvalid(at, deprecationWarning, why));
}
