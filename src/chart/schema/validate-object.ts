import type { GoMap } from "../../lang/template/index.ts";
import { quoted, quotedList } from "./validation-error.ts";
import { countText } from "./number.ts";
import type { Validator } from "./validator.ts";

/** Validates an object. Go iterates maps in random order. Here keys are sorted. */
export function checkObject(validator: Validator, object: GoMap): void {
  const { node, inHurry } = validator;
  const { minProperties, maxProperties, required } = node;
  if (minProperties !== undefined && object.size < minProperties)
    validator.fail(`minProperties: got ${countText(object.size)}, want ${countText(minProperties)}`);
  if (maxProperties !== undefined && object.size > maxProperties)
    validator.fail(`maxProperties: got ${countText(object.size)}, want ${countText(maxProperties)}`);
  if (required !== undefined) {
    const missing = required.filter((name) => !object.has(name));
    if (missing.length > 0)
      validator.fail(missing.length === 1 ? `missing property ${quoted(missing[0]!)}` : `missing properties ${quotedList(missing)}`);
  }
  if (inHurry && validator.hasFailed) return;
  for (const [name, wanted] of node.dependencies ?? []) {
    if (!object.has(name)) continue;
    if (Array.isArray(wanted)) checkDependency(validator, object, name, wanted);
    else if ("location" in wanted) validator.add(validator.self(wanted));
  }
  checkProperties(validator, object);
  if (inHurry && validator.hasFailed) return;
  if (node.draft > 4 && node.propertyNames !== undefined) checkNames(validator, object);
  for (const [name, schema] of node.dependentSchemas ?? []) if (object.has(name)) validator.add(validator.self(schema));
  for (const [name, wanted] of node.dependentRequired ?? []) if (object.has(name)) checkDependency(validator, object, name, wanted);
}

function checkDependency(validator: Validator, object: GoMap, name: string, wanted: readonly string[]): void {
  const missing = wanted.filter((each) => !object.has(each));
  if (missing.length > 0) validator.fail(`properties ${quotedList(missing)} required, if ${quoted(name)} exists`);
}

function checkProperties(validator: Validator, object: GoMap): void {
  const { node, inHurry, unjudged } = validator;
  const { properties, patternProperties, additionalProperties } = node;
  if (properties === undefined && patternProperties === undefined && additionalProperties === undefined) return;
  const additional: string[] = [];
  for (const name of object.sortedKeys()) {
    if (inHurry && validator.hasFailed) return;
    const value = object.get(name);
    const schema = properties?.get(name);
    let isJudged = schema !== undefined;
    if (schema !== undefined) validator.add(validator.below(schema, value, name));
    for (const [pattern, below] of patternProperties ?? []) {
      if (!pattern(name)) continue;
      isJudged = true;
      validator.add(validator.below(below, value, name));
    }
    if (!isJudged && additionalProperties !== undefined) {
      isJudged = true;
      if (additionalProperties === false) additional.push(name);
      else if (additionalProperties !== true) validator.add(validator.below(additionalProperties, value, name));
    }
    if (isJudged) unjudged?.delete(name);
  }
  if (additional.length > 0) validator.fail(`additional properties ${quotedList(additional)} not allowed`);
}

function checkNames(validator: Validator, object: GoMap): void {
  const { propertyNames } = validator.node;
  if (propertyNames === undefined) return;
  for (const name of object.sortedKeys()) {
    const found = validator.apart(propertyNames, name);
    if (found === undefined) continue;
    // A property name is validated as a value of its own: its location starts at the root, and the error has none.
    validator.add({
      place: undefined,
      message: `invalid propertyName ${quoted(name)}`,
      type: "plain",
      causes: found.type === "group" ? found.causes : [found],
    });
  }
}
