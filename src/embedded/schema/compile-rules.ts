import { isFields, type Fields } from "../../core/object/index.ts";
import { fieldInvalid, type FieldError } from "../field-error.ts";
import { compileValidationRule, type CompiledValidationRule, type CompileCelRule } from "./compiled-validation-rule.ts";
import { correlatedField, correlatedItem, isUnchanged, type CorrelatedValue } from "./correlated-value.ts";
import { childPath, itemPath, keyPath, printedPath } from "./error-path.ts";
import { evaluateValidationRule } from "./evaluate-validation-rule.ts";
import type { JsonSchemaProps } from "./json-schema-props.ts";

/** Validates a value by the rules of its schema. `old` is its previous value; `at` its path when it is part of an object. */
export type CheckRules = (value: unknown, options?: { readonly old?: unknown; readonly at?: string }) => readonly FieldError[];

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
};

/**
 * Compiles the `x-kubernetes-validations` of a structural schema, once. Undefined when there are none.
 *
 * Models apiextensions pkg/apiserver/schema/cel/validation.go
 */
export function compileRules(schema: JsonSchemaProps, compile: CompileCelRule): CheckRules | undefined {
  const root = nodeFor(schema, true, compile);
  if (root === undefined) return undefined;
  return (value, { old, at = "" } = {}) => {
    const correlated = old === undefined ? undefined : { value: old };
    return checkNode(root, { value, path: at, old: correlated, correlated, unchangedAround: false });
  };
}

function nodeFor(schema: JsonSchemaProps, isRoot: boolean, compile: CompileCelRule): RuleNode | undefined {
  const isResource = isRoot || schema["x-kubernetes-embedded-resource"] === true;
  const rules = (schema["x-kubernetes-validations"] ?? []).map((rule) => compileValidationRule(rule, schema, isResource, compile));
  const below = (child: JsonSchemaProps | boolean | undefined) => (typeof child === "object" ? nodeFor(child, false, compile) : undefined);
  const properties = new Map<string, RuleNode>();
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const node = below(child);
    if (node !== undefined) properties.set(name, node);
  }
  const [additional, items] = [below(schema.additionalProperties), below(schema.items)];
  if (rules.length === 0 && properties.size === 0 && additional === undefined && items === undefined) return undefined;
  return { schema, rules, properties, additional, items };
}

function checkNode(node: RuleNode, visit: Visit): readonly FieldError[] {
  const { value, correlated } = visit;
  if (value === null || value === undefined) return [];
  const unchanged = correlated === undefined ? visit.unchangedAround : isUnchanged(value, correlated, node.schema);
  const own = node.rules.flatMap((rule) => checkRule(rule, node.schema, visit, unchanged));
  const parent = { ...visit, unchangedAround: unchanged };
  if (Array.isArray(value)) return [...own, ...checkItems(node, value, parent)];
  return isFields(value) ? [...own, ...checkFields(node, value, parent)] : own;
}

function checkItems({ schema, items }: RuleNode, list: readonly unknown[], parent: Visit): readonly FieldError[] {
  if (items === undefined) return [];
  return list.flatMap((value, index) => {
    const old = correlatedItem(parent.old, schema, value);
    return checkNode(items, {
      ...parent,
      value,
      path: itemPath(parent.path, index),
      old,
      correlated: correlatedItem(parent.correlated, schema, value),
    });
  });
}

function checkFields({ schema, properties, additional }: RuleNode, fields: Fields, parent: Visit): readonly FieldError[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const isNamed = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
    const node = isNamed ? properties.get(name) : additional;
    if (node === undefined) return [];
    const path = isNamed ? childPath(parent.path, name) : keyPath(parent.path, name);
    const [old, correlated] = [correlatedField(parent.old, schema, name), correlatedField(parent.correlated, schema, name)];
    return checkNode(node, { ...parent, value, path, old, correlated });
  });
}

function checkRule(
  rule: CompiledValidationRule | Error,
  schema: JsonSchemaProps,
  { value, path, old }: Visit,
  unchanged: boolean,
): readonly FieldError[] {
  if (rule instanceof Error) return [fieldInvalid(printedPath(path), schema.type ?? "", `rule compile error: ${rule.message}`)];
  const before = old?.value ?? undefined;
  if (rule.usesOldSelf && before === undefined && rule.rule.optionalOldSelf !== true) return [];
  const outcome = evaluateValidationRule(rule, { self: value, schema, ...(before === undefined ? {} : { oldSelf: before }) }, path);
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
