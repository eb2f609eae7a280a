import type { GoMap } from "../../lang/template/index.ts";
import { quoted, quotedList } from "./failure.ts";
import { countText } from "./number.ts";
import type { Judgement } from "./validate.ts";

/** What a schema says about an object. Go walks its maps in any order; here keys are in theirs. */
export function checkObject(judgement: Judgement, object: GoMap): void {
  const { node, inHurry } = judgement;
  const { minProperties, maxProperties, required } = node;
  if (minProperties !== undefined && object.size < minProperties)
    judgement.fail(`minProperties: got ${countText(object.size)}, want ${countText(minProperties)}`);
  if (maxProperties !== undefined && object.size > maxProperties)
    judgement.fail(`maxProperties: got ${countText(object.size)}, want ${countText(maxProperties)}`);
  if (required !== undefined) {
    const missing = required.filter((name) => !object.has(name));
    if (missing.length > 0)
      judgement.fail(missing.length === 1 ? `missing property ${quoted(missing[0]!)}` : `missing properties ${quotedList(missing)}`);
  }
  if (inHurry && judgement.hasFailed) return;
  for (const [name, wanted] of node.dependencies ?? []) {
    if (!object.has(name)) continue;
    if (Array.isArray(wanted)) checkDependency(judgement, object, name, wanted);
    else if ("location" in wanted) judgement.add(judgement.self(wanted));
  }
  checkProperties(judgement, object);
  if (inHurry && judgement.hasFailed) return;
  if (node.draft > 4 && node.propertyNames !== undefined) checkNames(judgement, object);
  for (const [name, schema] of node.dependentSchemas ?? []) if (object.has(name)) judgement.add(judgement.self(schema));
  for (const [name, wanted] of node.dependentRequired ?? []) if (object.has(name)) checkDependency(judgement, object, name, wanted);
}

function checkDependency(judgement: Judgement, object: GoMap, name: string, wanted: readonly string[]): void {
  const missing = wanted.filter((each) => !object.has(each));
  if (missing.length > 0) judgement.fail(`properties ${quotedList(missing)} required, if ${quoted(name)} exists`);
}

function checkProperties(judgement: Judgement, object: GoMap): void {
  const { node, inHurry, unjudged } = judgement;
  const { properties, patternProperties, additionalProperties } = node;
  if (properties === undefined && patternProperties === undefined && additionalProperties === undefined) return;
  const additional: string[] = [];
  for (const name of object.sortedKeys()) {
    if (inHurry && judgement.hasFailed) return;
    const value = object.get(name);
    const schema = properties?.get(name);
    let isJudged = schema !== undefined;
    if (schema !== undefined) judgement.add(judgement.below(schema, value, name));
    for (const [pattern, below] of patternProperties ?? []) {
      if (!pattern(name)) continue;
      isJudged = true;
      judgement.add(judgement.below(below, value, name));
    }
    if (!isJudged && additionalProperties !== undefined) {
      isJudged = true;
      if (additionalProperties === false) additional.push(name);
      else if (additionalProperties !== true) judgement.add(judgement.below(additionalProperties, value, name));
    }
    if (isJudged) unjudged?.delete(name);
  }
  if (additional.length > 0) judgement.fail(`additional properties ${quotedList(additional)} not allowed`);
}

function checkNames(judgement: Judgement, object: GoMap): void {
  const { propertyNames } = judgement.node;
  if (propertyNames === undefined) return;
  for (const name of object.sortedKeys()) {
    const found = judgement.apart(propertyNames, name);
    if (found === undefined) continue;
    // The name is judged as a value of its own: places begin anew there, and the failure itself has none.
    judgement.add({
      place: undefined,
      message: `invalid propertyName ${quoted(name)}`,
      type: "plain",
      causes: found.type === "group" ? found.causes : [found],
    });
  }
}
