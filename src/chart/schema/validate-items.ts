import type { GoValue } from "../../lang/template/index.ts";
import type { ValidationError } from "./validation-error.ts";
import { identityOf } from "./json-type.ts";
import type { SchemaNode } from "./schema-node.ts";
import { countText } from "./number.ts";
import type { Validator } from "./validator.ts";

/** Validates a list. */
export function checkItems(validator: Validator, items: readonly GoValue[]): void {
  const { minItems, maxItems, uniqueItems, draft } = validator.node;
  if (minItems !== undefined && items.length < minItems)
    validator.fail(`minItems: got ${countText(items.length)}, want ${countText(minItems)}`);
  if (maxItems !== undefined && items.length > maxItems)
    validator.fail(`maxItems: got ${countText(items.length)}, want ${countText(maxItems)}`);
  if (uniqueItems === true) {
    const twins = firstTwins(items);
    if (twins !== undefined) validator.fail(`items at ${countText(twins[0])} and ${countText(twins[1])} are equal`);
  }
  if (draft < 2020) checkEach(validator, items);
  else checkEachSince2020(validator, items);
  if (validator.node.contains !== undefined) checkContains(validator, items, validator.node.contains);
}

function firstTwins(items: readonly GoValue[]): readonly [number, number] | undefined {
  const known = new Map<string, number>();
  for (const [later, item] of items.entries()) {
    const text = identityOf(item);
    const earlier = known.get(text);
    if (earlier !== undefined) return [earlier, later];
    known.set(text, later);
  }
  return undefined;
}

function checkEach(validator: Validator, items: readonly GoValue[]): void {
  const { items: schemas, additionalItems } = validator.node;
  let judged = 0;
  if (isList(schemas)) {
    judged = Math.min(items.length, schemas.length);
    for (const [index, schema] of schemas.slice(0, judged).entries()) validator.add(validator.below(schema, items[index], String(index)));
  } else if (schemas !== undefined) {
    judged = items.length;
    for (const [index, item] of items.entries()) validator.add(validator.below(schemas, item, String(index)));
  }
  if (additionalItems === false && judged !== items.length)
    validator.fail(`last ${countText(items.length - judged)} additionalItem(s) not allowed`);
  if (additionalItems === undefined || typeof additionalItems === "boolean") return;
  // The library counts these from the first additional item.
  for (const [index, item] of items.slice(judged).entries()) validator.add(validator.below(additionalItems, item, String(index)));
}

function checkEachSince2020(validator: Validator, items: readonly GoValue[]): void {
  const { prefixItems = [], items: schema } = validator.node;
  const judged = Math.min(prefixItems.length, items.length);
  for (const [index, each] of prefixItems.slice(0, judged).entries()) validator.add(validator.below(each, items[index], String(index)));
  if (schema === undefined || isList(schema)) return;
  for (const [index, item] of items.slice(judged).entries()) validator.add(validator.below(schema, item, String(index)));
}

function isList(schemas: SchemaNode | readonly SchemaNode[] | undefined): schemas is readonly SchemaNode[] {
  return Array.isArray(schemas);
}

function checkContains(validator: Validator, items: readonly GoValue[], schema: SchemaNode): void {
  const { draft, minContains, maxContains } = validator.node;
  const failures: ValidationError[] = [];
  const matched: number[] = [];
  for (const [index, item] of items.entries()) {
    const found = validator.below(schema, item, String(index));
    if (found !== undefined) failures.push(found);
    else {
      matched.push(index);
      if (draft >= 2020) validator.unjudged?.delete(index);
    }
  }
  const matches = `matched ${countText(matched.length)} items at ${matched.join(" ")}`;
  if (minContains === undefined) {
    if (matched.length === 0) validator.fail("no items match contains schema", failures);
  } else if (matched.length < minContains) {
    const found = matched.length === 0 ? "none matched" : matches;
    validator.fail(`min ${countText(minContains)} items required to match contains schema, but ${found}`, failures);
  }
  if (maxContains !== undefined && matched.length > maxContains)
    validator.fail(`max ${countText(maxContains)} items required to match contains schema, but ${matches}`);
}
