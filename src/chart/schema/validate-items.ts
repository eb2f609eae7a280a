import type { Value } from "../../lang/template/index.ts";
import type { Failure } from "./failure.ts";
import { isEqual } from "./json-type.ts";
import type { SchemaNode } from "./node.ts";
import { countText } from "./number.ts";
import type { Judgement } from "./validate.ts";

/** What a schema says about a list. */
export function checkItems(judgement: Judgement, items: readonly Value[]): void {
  const { minItems, maxItems, uniqueItems, draft } = judgement.node;
  if (minItems !== undefined && items.length < minItems)
    judgement.fail(`minItems: got ${countText(items.length)}, want ${countText(minItems)}`);
  if (maxItems !== undefined && items.length > maxItems)
    judgement.fail(`maxItems: got ${countText(items.length)}, want ${countText(maxItems)}`);
  if (uniqueItems === true) {
    const twins = firstTwins(items);
    if (twins !== undefined) judgement.fail(`items at ${countText(twins[0])} and ${countText(twins[1])} are equal`);
  }
  if (draft < 2020) checkEach(judgement, items);
  else checkEachSince2020(judgement, items);
  if (judgement.node.contains !== undefined) checkContains(judgement, items, judgement.node.contains);
}

function firstTwins(items: readonly Value[]): readonly [number, number] | undefined {
  for (let later = 1; later < items.length; later++) {
    const earlier = items.findIndex((item, index) => index < later && isEqual(items[later], item));
    if (earlier >= 0) return [earlier, later];
  }
  return undefined;
}

function checkEach(judgement: Judgement, items: readonly Value[]): void {
  const { items: schemas, additionalItems } = judgement.node;
  let judged = 0;
  if (isList(schemas)) {
    judged = Math.min(items.length, schemas.length);
    for (const [index, schema] of schemas.slice(0, judged).entries()) judgement.add(judgement.below(schema, items[index], String(index)));
  } else if (schemas !== undefined) {
    judged = items.length;
    for (const [index, item] of items.entries()) judgement.add(judgement.below(schemas, item, String(index)));
  }
  if (additionalItems === false && judged !== items.length)
    judgement.fail(`last ${countText(items.length - judged)} additionalItem(s) not allowed`);
  if (additionalItems === undefined || typeof additionalItems === "boolean") return;
  // The library counts these from the first that is additional.
  for (const [index, item] of items.slice(judged).entries()) judgement.add(judgement.below(additionalItems, item, String(index)));
}

function checkEachSince2020(judgement: Judgement, items: readonly Value[]): void {
  const { prefixItems = [], items: schema } = judgement.node;
  const judged = Math.min(prefixItems.length, items.length);
  for (const [index, each] of prefixItems.slice(0, judged).entries()) judgement.add(judgement.below(each, items[index], String(index)));
  if (schema === undefined || isList(schema)) return;
  for (const [index, item] of items.slice(judged).entries()) judgement.add(judgement.below(schema, item, String(index)));
}

function isList(schemas: SchemaNode | readonly SchemaNode[] | undefined): schemas is readonly SchemaNode[] {
  return Array.isArray(schemas);
}

function checkContains(judgement: Judgement, items: readonly Value[], schema: SchemaNode): void {
  const { draft, minContains, maxContains } = judgement.node;
  const failures: Failure[] = [];
  const matched: number[] = [];
  for (const [index, item] of items.entries()) {
    const found = judgement.below(schema, item, String(index));
    if (found !== undefined) failures.push(found);
    else {
      matched.push(index);
      if (draft >= 2020) judgement.unjudged?.delete(index);
    }
  }
  const matches = `matched ${countText(matched.length)} items at ${matched.join(" ")}`;
  if (minContains === undefined) {
    if (matched.length === 0) judgement.fail("no items match contains schema", failures);
  } else if (matched.length < minContains) {
    const found = matched.length === 0 ? "none matched" : matches;
    judgement.fail(`min ${countText(minContains)} items required to match contains schema, but ${found}`, failures);
  }
  if (maxContains !== undefined && matched.length > maxContains)
    judgement.fail(`max ${countText(maxContains)} items required to match contains schema, but ${matches}`);
}
