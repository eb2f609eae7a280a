import { isFields, type Fields } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import { fieldInvalid, type FieldError } from "../field-error.ts";
import { compileValidationRule, type CompiledValidationRule, type CompileCelRule } from "./compiled-validation-rule.ts";
import { correlatedField, correlatedItem, isUnchanged, type CorrelatedValue } from "./correlated-value.ts";
import { childPath, itemPath, keyPath, printedPath } from "./error-path.ts";
import { evaluateValidationRule, outOfBudget } from "./evaluate-validation-rule.ts";
import type { JsonSchemaProps } from "./json-schema-props.ts";
import { RuleBudget } from "./rule-budget.ts";

type RulesCheck = {
  /** The previous value. Default: there is none. */
  readonly old?: unknown;
  /** The path of a value that is part of an object. Default: it is the object. */
  readonly at?: string;
  /** Whether errors of unchanged values are ignored. Default: true. */
  readonly ratchets?: boolean;
  /** What the rules may cost. Default: the budget of one object. */
  readonly budget?: RuleBudget;
};

/** Validates a value by the rules of its schema. */
export type CheckRules = (value: unknown, check?: RulesCheck) => readonly FieldError[];

/** A schema reduced to the nodes that lead to rules. */
type RuleNode = {
  readonly schema: JsonSchemaProps;
  readonly rules: readonly (CompiledValidationRule | Error)[];
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly additional: RuleNode | undefined;
  readonly items: RuleNode | undefined;
};

/**
 * A value being visited. `old` is what rules see as `oldSelf`; `correlated` and `unchangedAround` show whether the
 * value, or the nearest parent that can be correlated, has changed: errors of unchanged values are ignored.
 */
type Visit = {
  readonly value: unknown;
  readonly path: string;
  readonly old: CorrelatedValue | undefined;
  readonly correlated: CorrelatedValue | undefined;
  readonly unchangedAround: boolean;
  readonly budget: RuleBudget;
};

/**
 * Compiles the `x-kubernetes-validations` of a structural schema, once. Undefined when there are none.
 *
 * Models apiextensions pkg/apiserver/schema/cel/validation.go
 */
export function compileRules(schema: JsonSchemaProps, compile: CompileCelRule): CheckRules | undefined {
  const root = runNested(nodeFor(schema, true, compile));
  if (root === undefined) return undefined;
  return (value, { old, at = "", ratchets = true, budget = new RuleBudget() } = {}) => {
    const before = old === undefined ? undefined : { value: old };
    const found: FieldError[] = [];
    const visit = { value, path: at, old: before, correlated: ratchets ? before : undefined, unchangedAround: false, budget };
    runNested(checkNode(root, visit, found));
    return found;
  };
}

function* nodeFor(schema: JsonSchemaProps | boolean | undefined, isRoot: boolean, compile: CompileCelRule): Nested<RuleNode | undefined> {
  if (typeof schema !== "object") return undefined;
  const isResource = isRoot || schema["x-kubernetes-embedded-resource"] === true;
  const rules = (schema["x-kubernetes-validations"] ?? []).map((rule) => compileValidationRule(rule, schema, isResource, compile));
  const properties = new Map<string, RuleNode>();
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const node = yield* callNested(nodeFor(child, false, compile));
    if (node !== undefined) properties.set(name, node);
  }
  const additional = yield* callNested(nodeFor(schema.additionalProperties, false, compile));
  const items = yield* callNested(nodeFor(schema.items, false, compile));
  if (rules.length === 0 && properties.size === 0 && additional === undefined && items === undefined) return undefined;
  return { schema, rules, properties, additional, items };
}

function* checkNode(node: RuleNode, visit: Visit, found: FieldError[]): Nested<void> {
  const { value, correlated, budget } = visit;
  if (value === null || value === undefined || budget.isOver) return;
  if (node.rules.length > 0 && budget.isSpent) {
    budget.end();
    found.push(fieldInvalid(printedPath(visit.path), node.schema.type ?? "", outOfBudget));
    return;
  }
  const unchanged = correlated === undefined ? visit.unchangedAround : isUnchanged(value, correlated, node.schema);
  for (const rule of node.rules) found.push(...checkRule(rule, node.schema, visit, unchanged));
  const parent = { ...visit, unchangedAround: unchanged };
  if (Array.isArray(value)) yield* checkItems(node, value, parent, found);
  else if (isFields(value)) yield* checkFields(node, value, parent, found);
}

function* checkItems({ schema, items }: RuleNode, list: readonly unknown[], parent: Visit, found: FieldError[]): Nested<void> {
  if (items === undefined) return;
  for (const [index, value] of list.entries()) {
    const [old, correlated] = [correlatedItem(parent.old, schema, value), correlatedItem(parent.correlated, schema, value)];
    yield* callNested(checkNode(items, { ...parent, value, path: itemPath(parent.path, index), old, correlated }, found));
  }
}

function* checkFields({ schema, properties, additional }: RuleNode, fields: Fields, parent: Visit, found: FieldError[]): Nested<void> {
  for (const [name, value] of Object.entries(fields)) {
    const isNamed = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
    const node = isNamed ? properties.get(name) : additional;
    if (node === undefined) continue;
    const path = isNamed ? childPath(parent.path, name) : keyPath(parent.path, name);
    const [old, correlated] = [correlatedField(parent.old, schema, name), correlatedField(parent.correlated, schema, name)];
    yield* callNested(checkNode(node, { ...parent, value, path, old, correlated }, found));
  }
}

function checkRule(
  rule: CompiledValidationRule | Error,
  schema: JsonSchemaProps,
  { value, path, old, budget }: Visit,
  unchanged: boolean,
): readonly FieldError[] {
  if (budget.isOver) return [];
  if (rule instanceof Error) return [fieldInvalid(printedPath(path), schema.type ?? "", `rule compile error: ${rule.message}`)];
  const before = old?.value ?? undefined;
  if (rule.usesOldSelf && before === undefined && rule.rule.optionalOldSelf !== true) return [];
  const outcome = evaluateValidationRule(rule, { self: value, schema, ...(before === undefined ? {} : { oldSelf: before }) }, path, budget);
  if (outcome === undefined) return [];
  return outcome.failed && !rule.usesOldSelf && unchanged ? [] : [outcome.error];
}

const blocking: ReadonlySet<string> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/**
 * The error that replaces the rules when earlier errors prevent their evaluation; undefined when they can be evaluated.
 * Models apiextensions pkg/registry/customresource/strategy.go hasBlockingErr
 */
export function rulesBlockedBy(errors: readonly FieldError[]): FieldError | undefined {
  if (!errors.some(({ reason }) => blocking.has(reason))) return undefined;
  const why = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
  return fieldInvalid("<nil>", null, why);
}
