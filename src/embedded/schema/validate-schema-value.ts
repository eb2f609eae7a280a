import { equal, isFields, type Fields } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import type { FieldError } from "../field-error.ts";
import { correlatedField, correlatedItem, isUnchanged } from "./correlated-value.ts";
import { checkCombinations } from "./check-combinations.ts";
import { mergeFindings, findingReporterAt, type Finding, type FindingsResult, type FindingReporter } from "./finding.ts";
import { isCheckedFormat } from "./formats.ts";
import type { SchemaCheck, CheckContext } from "./check-context.ts";
import { checkFormat, checkNumericBounds, checkStringBounds } from "./check-scalar.ts";
import type { JsonSchemaProps } from "./json-schema-props.ts";

type SchemaValidationOptions = {
  /** The previous value: errors that it already has are ignored where nothing changed. Default: none, as on create. */
  readonly old?: unknown;
  /** The path of the value as a whole, for values that are part of an object. Default: the value is the object. */
  readonly at?: string;
};

/**
 * Validates a value against a schema, with the API server's messages for custom resources.
 *
 * Models apiextensions pkg/apiserver/validation/validation.go and ratcheting.go, kube-openapi pkg/validation/validate.
 */
export function validateSchemaValue(value: unknown, schema: JsonSchemaProps, options: SchemaValidationOptions = {}): readonly FieldError[] {
  const report = findingReporterAt(options.at ?? "");
  const check: SchemaCheck = function* (child, node, path, correlatedChild) {
    const outcome = yield* checkNode(child, node, path, correlatedChild);
    return outcome.findings.length > 0 && isUnchanged(child, correlatedChild, node) ? { ...outcome, findings: [] } : outcome;
  };
  const checkNode: SchemaCheck = function* (child, node, path, correlatedChild) {
    const results: FindingsResult[] = [];
    for (const one of checksOf(child, node)) {
      const result = one(child, node, { path, correlated: correlatedChild, report, check });
      results.push("findings" in result ? result : yield* result);
    }
    const matches = results.reduce((total, result) => total + result.matches + 1, 1);
    return { findings: mergeFindings(results.map((result) => result.findings)), matches };
  };
  const correlated = options.old === undefined ? undefined : { value: options.old };
  return runNested(check(value, schema, "", correlated)).findings.map((finding) => finding.error);
}

type NodeCheck = (value: unknown, schema: JsonSchemaProps, context: CheckContext) => FindingsResult | Nested<FindingsResult>;

/** The checks for a value of this type, in the server's order. */
function checksOf(value: unknown, schema: JsonSchemaProps): readonly NodeCheck[] {
  const typed = typesOf(schema).length > 0 || formatOf(schema) !== "" ? [checkType] : [];
  if (value === null) return [...typed, checkEnum];
  if (typeof value === "string") {
    return [...typed, checkCombinations, ofString, ...(formatOf(schema) === "" ? [] : [ofFormat]), checkEnum];
  }
  if (typeof value === "number") return [...typed, checkCombinations, ofNumber, checkEnum];
  if (Array.isArray(value)) return [...typed, checkCombinations, ofList, checkEnum];
  return isFields(value) ? [...typed, checkCombinations, checkEnum, ofFields] : [...typed, checkCombinations, checkEnum];
}

function typesOf(schema: JsonSchemaProps): readonly string[] {
  if (schema["x-kubernetes-int-or-string"] === true) return ["integer", "string"];
  return schema.type === undefined ? [] : [schema.type];
}

function formatOf({ format = "" }: JsonSchemaProps): string {
  return isCheckedFormat(format) ? format : "";
}

/** The JSON type of a value, and the format that Go's type for it has. */
function shapeOf(value: unknown): readonly [type: string, format: string] {
  if (Array.isArray(value)) return ["array", ""];
  if (typeof value === "number") return Number.isInteger(value) ? ["integer", "int64"] : ["number", "float64"];
  return typeof value === "object" ? ["object", ""] : [typeof value, ""];
}

/** Models kube-openapi pkg/validation/validate/type.go */
function checkType(value: unknown, schema: JsonSchemaProps, { path, report }: CheckContext): FindingsResult {
  const types = typesOf(schema);
  const wrong = (type: string, found: string): FindingsResult => ({ findings: [report.wrongType(path, type, found)], matches: 0 });
  if (value === null) return types.length > 0 && schema.nullable !== true ? wrong(types.join(","), "null") : fine;
  const [type, format] = shapeOf(value);
  const fits = types.includes(type) || (type === "integer" && types.includes("number"));
  const wantedFormat = formatOf(schema);
  const isText = typeof value === "string" || Array.isArray(value);
  if (wantedFormat !== "" && !isText && !fits) return wrong(wantedFormat, format);
  // With a format, strings and lists are left to the format check.
  if (wantedFormat !== "" && isText && !types.includes("number") && !types.includes("integer")) return fine;
  return fits ? fine : wrong(types.join(","), type);
}

const fine: FindingsResult = { findings: [], matches: 1 };

function outcomeOf(findings: readonly Finding[], matches = 0): FindingsResult {
  return { findings, matches };
}

const ofString: NodeCheck = (value, schema, { path, report }) => outcomeOf(checkStringBounds(String(value), schema, path, report));
const ofFormat: NodeCheck = (value, schema, { path, report }) => outcomeOf(checkFormat(String(value), formatOf(schema), path, report));
const ofNumber: NodeCheck = (value, schema, { path, report }) => outcomeOf(checkNumericBounds(Number(value), schema, path, report), 1);

function checkEnum(value: unknown, { enum: allowed = [] }: JsonSchemaProps, { path, report }: CheckContext): FindingsResult {
  if (allowed.length === 0 || (value !== null && allowed.some((item) => isSame(item, value)))) return outcomeOf([]);
  return outcomeOf([report.unsupported(path, value, allowed)]);
}

/** Numbers are compared after conversion to the type of the enum value. */
function isSame(allowed: unknown, value: unknown): boolean {
  if (typeof allowed === "number" && typeof value === "number") return allowed === (Number.isInteger(allowed) ? Math.trunc(value) : value);
  return equal(allowed, value);
}

function* ofList(value: unknown, schema: JsonSchemaProps, { path, correlated, report, check }: CheckContext): Nested<FindingsResult> {
  const list = value as readonly unknown[];
  const { items, minItems, maxItems, uniqueItems = false } = schema;
  const results: FindingsResult[] = [];
  if (items !== undefined)
    for (const [index, item] of list.entries())
      results.push(yield* callNested(check(item, items, `${path}[${index}]`, correlatedItem(correlated, schema, item))));
  const own: Finding[] = [];
  if (minItems !== undefined && list.length < minItems)
    own.push(report.invalid(path, list.length, `should have at least ${minItems} items`));
  if (maxItems !== undefined && list.length > maxItems) own.push(report.tooManyItems(path, maxItems, list.length));
  if (uniqueItems && hasDuplicates(list)) own.push(report.invalid(path, "", "shouldn't contain duplicates"));
  return gathered(results, own);
}

function hasDuplicates(list: readonly unknown[]): boolean {
  return list.some((item, index) => list.slice(0, index).some((other) => equal(item, other)));
}

function gathered(results: readonly FindingsResult[], own: readonly Finding[]): FindingsResult {
  const matches = results.reduce((total, result) => total + result.matches, 0);
  return outcomeOf(mergeFindings([...results.map((result) => result.findings), own]), matches);
}

/** Models kube-openapi pkg/validation/validate/object_validator.go */
function* ofFields(value: unknown, schema: JsonSchemaProps, { path, correlated, report, check }: CheckContext): Nested<FindingsResult> {
  const fields = value as Fields;
  const { properties = {}, additionalProperties, required = [] } = schema;
  const before = (name: string) =>
    path === "" && (name === "kind" || name === "apiVersion") ? undefined : correlatedField(correlated, schema, name);
  const own = [...checkCounts(fields, schema, path, report)];
  const results: FindingsResult[] = [];
  for (const [name, child] of Object.entries(fields)) {
    if (Object.hasOwn(properties, name)) continue;
    if (additionalProperties === false) own.push(report.forbiddenProperty(path, name));
    else if (typeof additionalProperties === "object")
      results.push(yield* callNested(check(child, additionalProperties, `${path}.${name}`, before(name))));
  }
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(fields, name)) continue;
    results.push(yield* callNested(check(fields[name], property, path === "" ? name : `${path}.${name}`, before(name))));
  }
  const absent = required.filter((name) => !Object.hasOwn(fields, name)).map((name) => report.missing(`${path}.${name}`));
  return gathered(results, [...own, ...absent]);
}

function checkCounts(
  fields: Fields,
  { minProperties, maxProperties }: JsonSchemaProps,
  path: string,
  report: FindingReporter,
): readonly Finding[] {
  const size = Object.keys(fields).length;
  if (minProperties !== undefined && size < minProperties) {
    return [report.invalid(path, size, `should have at least ${minProperties} properties`)];
  }
  return maxProperties !== undefined && size > maxProperties ? [report.tooManyProperties(path, maxProperties, size)] : [];
}
