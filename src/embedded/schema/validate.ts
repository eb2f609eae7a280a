import { isDeepStrictEqual } from "node:util";
import { isFields, type Fields } from "../../core/object/index.ts";
import type { FieldError } from "../field-error.ts";
import { earlierField, earlierItem, isUnchanged } from "./correlate.ts";
import { checkCombinations } from "./combine.ts";
import { merged, tellerAt, type Finding, type Outcome, type Teller } from "./finding.ts";
import { isCheckedFormat } from "./formats.ts";
import type { Check, Place } from "./place.ts";
import { checkFormat, checkNumber, checkString } from "./scalar.ts";
import type { Schema } from "./schema.ts";

export type ValidateOptions = {
  /** What the value was before: what was wrong then and has not changed is let pass. Default: nothing, as at creation. */
  readonly old?: unknown;
  /** The path of the value as a whole, for values that are part of an object. Default: the value is the object. */
  readonly at?: string;
};

/**
 * Checks a value against a schema, in the words the API server has for custom resources.
 *
 * Models apiextensions pkg/apiserver/validation/validation.go and ratcheting.go, kube-openapi pkg/validation/validate.
 */
export function validate(value: unknown, schema: Schema, options: ValidateOptions = {}): readonly FieldError[] {
  const tell = tellerAt(options.at ?? "");
  const check: Check = (child, node, path, earlier) => {
    const outcome = checkNode(child, node, path, earlier);
    return outcome.findings.length > 0 && isUnchanged(child, earlier, node) ? { ...outcome, findings: [] } : outcome;
  };
  const checkNode: Check = (child, node, path, earlier) => {
    const checks = checksOf(child, node);
    const results = checks.map((one) => one(child, node, { path, earlier, tell, check }));
    const matches = results.reduce((total, result) => total + result.matches + 1, 1);
    return { findings: merged(...results.map((result) => result.findings)), matches };
  };
  const earlier = options.old === undefined ? undefined : { value: options.old };
  return check(value, schema, "", earlier).findings.map((finding) => finding.error);
}

type NodeCheck = (value: unknown, schema: Schema, place: Place) => Outcome;

/** The checks that apply to a value of this shape, in the server's order. */
function checksOf(value: unknown, schema: Schema): readonly NodeCheck[] {
  const typed = typesOf(schema).length > 0 || formatOf(schema) !== "" ? [checkType] : [];
  if (value === null) return [...typed, checkEnum];
  if (typeof value === "string") {
    return [...typed, checkCombinations, ofString, ...(formatOf(schema) === "" ? [] : [ofFormat]), checkEnum];
  }
  if (typeof value === "number") return [...typed, checkCombinations, ofNumber, checkEnum];
  if (Array.isArray(value)) return [...typed, checkCombinations, ofList, checkEnum];
  return isFields(value) ? [...typed, checkCombinations, checkEnum, ofFields] : [...typed, checkCombinations, checkEnum];
}

function typesOf(schema: Schema): readonly string[] {
  if (schema["x-kubernetes-int-or-string"] === true) return ["integer", "string"];
  return schema.type === undefined ? [] : [schema.type];
}

function formatOf({ format = "" }: Schema): string {
  return isCheckedFormat(format) ? format : "";
}

/** The JSON type of a value, and the format that Go's type for it has. */
function shapeOf(value: unknown): readonly [type: string, format: string] {
  if (Array.isArray(value)) return ["array", ""];
  if (typeof value === "number") return Number.isInteger(value) ? ["integer", "int64"] : ["number", "float64"];
  return typeof value === "object" ? ["object", ""] : [typeof value, ""];
}

/** Models kube-openapi pkg/validation/validate/type.go */
function checkType(value: unknown, schema: Schema, { path, tell }: Place): Outcome {
  const types = typesOf(schema);
  const wrong = (type: string, found: string): Outcome => ({ findings: [tell.wrongType(path, type, found)], matches: 0 });
  if (value === null) return types.length > 0 && schema.nullable !== true ? wrong(types.join(","), "null") : fine;
  const [type, format] = shapeOf(value);
  const fits = types.includes(type) || (type === "integer" && types.includes("number"));
  const wantedFormat = formatOf(schema);
  const isText = typeof value === "string" || Array.isArray(value);
  if (wantedFormat !== "" && !isText && !fits) return wrong(wantedFormat, format);
  // Where a format is wanted, text is left to the check of formats, and so are lists.
  if (wantedFormat !== "" && isText && !types.includes("number") && !types.includes("integer")) return fine;
  return fits ? fine : wrong(types.join(","), type);
}

const fine: Outcome = { findings: [], matches: 1 };

function outcomeOf(findings: readonly Finding[], matches = 0): Outcome {
  return { findings, matches };
}

const ofString: NodeCheck = (value, schema, { path, tell }) => outcomeOf(checkString(String(value), schema, path, tell));
const ofFormat: NodeCheck = (value, schema, { path, tell }) => outcomeOf(checkFormat(String(value), formatOf(schema), path, tell));
const ofNumber: NodeCheck = (value, schema, { path, tell }) => outcomeOf(checkNumber(Number(value), schema, path, tell), 1);

function checkEnum(value: unknown, { enum: allowed = [] }: Schema, { path, tell }: Place): Outcome {
  if (allowed.length === 0 || (value !== null && allowed.some((item) => isSame(item, value)))) return outcomeOf([]);
  return outcomeOf([tell.unsupported(path, value, allowed)]);
}

/** Numbers are compared after the value has been made a number of the kind that is allowed. */
function isSame(allowed: unknown, value: unknown): boolean {
  if (typeof allowed === "number" && typeof value === "number") return allowed === (Number.isInteger(allowed) ? Math.trunc(value) : value);
  return isDeepStrictEqual(allowed, value);
}

function ofList(value: unknown, schema: Schema, { path, earlier, tell, check }: Place): Outcome {
  const list = value as readonly unknown[];
  const { items, minItems, maxItems, uniqueItems = false } = schema;
  const results =
    items === undefined ? [] : list.map((item, index) => check(item, items, `${path}[${index}]`, earlierItem(earlier, schema, item)));
  const own: Finding[] = [];
  if (minItems !== undefined && list.length < minItems) own.push(tell.invalid(path, list.length, `should have at least ${minItems} items`));
  if (maxItems !== undefined && list.length > maxItems) own.push(tell.tooManyItems(path, maxItems, list.length));
  if (uniqueItems && hasDuplicates(list)) own.push(tell.invalid(path, "", "shouldn't contain duplicates"));
  return gathered(results, own);
}

function hasDuplicates(list: readonly unknown[]): boolean {
  return list.some((item, index) => list.slice(0, index).some((other) => isDeepStrictEqual(item, other)));
}

function gathered(results: readonly Outcome[], own: readonly Finding[]): Outcome {
  const matches = results.reduce((total, result) => total + result.matches, 0);
  return outcomeOf(merged(...results.map((result) => result.findings), own), matches);
}

/** Models kube-openapi pkg/validation/validate/object_validator.go */
function ofFields(value: unknown, schema: Schema, { path, earlier, tell, check }: Place): Outcome {
  const fields = value as Fields;
  const { properties = {}, additionalProperties, required = [] } = schema;
  const before = (name: string) =>
    path === "" && (name === "kind" || name === "apiVersion") ? undefined : earlierField(earlier, schema, name);
  const own = [...checkCounts(fields, schema, path, tell)];
  const results: Outcome[] = [];
  for (const [name, child] of Object.entries(fields)) {
    if (Object.hasOwn(properties, name)) continue;
    if (additionalProperties === false) own.push(tell.forbiddenProperty(path, name));
    else if (typeof additionalProperties === "object") results.push(check(child, additionalProperties, `${path}.${name}`, before(name)));
  }
  for (const [name, property] of Object.entries(properties)) {
    if (Object.hasOwn(fields, name)) results.push(check(fields[name], property, path === "" ? name : `${path}.${name}`, before(name)));
  }
  const absent = required.filter((name) => !Object.hasOwn(fields, name)).map((name) => tell.missing(`${path}.${name}`));
  return gathered(results, [...own, ...absent]);
}

function checkCounts(fields: Fields, { minProperties, maxProperties }: Schema, path: string, tell: Teller): readonly Finding[] {
  const size = Object.keys(fields).length;
  if (minProperties !== undefined && size < minProperties) {
    return [tell.invalid(path, size, `should have at least ${minProperties} properties`)];
  }
  return maxProperties !== undefined && size > maxProperties ? [tell.tooManyProperties(path, maxProperties, size)] : [];
}
