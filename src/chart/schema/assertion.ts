import { finderOf, type Finder } from "../../lang/re2/index.ts";
import { GoList, quote, type GoMap } from "../../lang/template/index.ts";
import { SchemaFault } from "./validation-error.ts";
import { formats, isRegex } from "./format.ts";
import { valueTypeOf } from "./json-type.ts";
import type { NumericLimit, SchemaNode } from "./schema-node.ts";
import { amountOf, digitsOf } from "./number.ts";

const counts = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"] as const;

/** Compiles the keywords that constrain a value without other schemas. */
export function addAssertions(
  node: SchemaNode,
  schema: GoMap,
  patterned: ReadonlyMap<string, SchemaNode> | undefined,
  assertsFormats: boolean,
): void {
  addTypes(node, schema);
  addLimits(node, schema);
  for (const keyword of counts) {
    const count = countIn(schema, keyword);
    if (count !== undefined) node[keyword] = count;
  }
  if (schema.get("uniqueItems") === true) node.uniqueItems = true;
  const required = schema.get("required");
  if (required instanceof GoList) node.required = required.items.filter((item) => typeof item === "string");
  if (patterned !== undefined)
    node.patternProperties = [...patterned].map(([pattern, below]) => [expression(node, "patternProperties", pattern), below]);
  const pattern = schema.get("pattern");
  if (typeof pattern === "string") node.pattern = { text: pattern, expression: expression(node, "pattern", pattern) };
  const format = schema.get("format");
  if (typeof format === "string" && (assertsFormats || node.draft < 2019)) addFormat(node, format);
  if (node.draft >= 2019) addContainsCounts(node, schema);
}

function addTypes(node: SchemaNode, schema: GoMap): void {
  const stated = schema.get("type");
  const names = stated instanceof GoList ? stated.items : [stated];
  const texts = names.filter((name) => typeof name === "string");
  if (texts.length > 0) node.types = new Set(texts);
  const values = schema.get("enum");
  if (values instanceof GoList) node.enumeration = { values: values.items, types: new Set(values.items.map(valueTypeOf)) };
}

function addLimits(node: SchemaNode, schema: GoMap): void {
  const multiple = limitIn(schema, "multipleOf");
  if (multiple !== undefined) node.multipleOf = multiple;
  for (const [keyword, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    const limit = limitIn(schema, keyword);
    // In draft 4 the exclusive limits are flags.
    if (schema.get(exclusive) === true) {
      if (limit !== undefined) node[exclusive] = limit;
      continue;
    }
    if (limit !== undefined) node[keyword] = limit;
    const excluded = limitIn(schema, exclusive);
    if (excluded !== undefined) node[exclusive] = excluded;
  }
}

function addContainsCounts(node: SchemaNode, schema: GoMap): void {
  if (!schema.has("contains")) return;
  const [least, most] = [countIn(schema, "minContains"), countIn(schema, "maxContains")];
  if (least !== undefined) node.minContains = least;
  if (most !== undefined) node.maxContains = most;
}

function addFormat(node: SchemaNode, name: string): void {
  const check = name === "regex" ? isRegex : Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (check !== undefined) node.format = { name, check };
}

function limitIn(schema: GoMap, keyword: string): NumericLimit | undefined {
  const value = schema.get(keyword);
  const amount = amountOf(value);
  return amount === undefined ? undefined : { amount, digits: digitsOf(value) };
}

function countIn(schema: GoMap, keyword: string): number | undefined {
  const amount = amountOf(schema.get(keyword));
  return amount !== undefined && Number.isInteger(amount) ? amount : undefined;
}

function expression({ location }: SchemaNode, keyword: string, pattern: string): Finder {
  try {
    return finderOf(pattern);
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    throw new SchemaFault(`invalid regex ${quote(pattern)} at ${quote(`${location}/${keyword}`)}: ${because}`);
  }
}
