import { isFields } from "../../object/index.ts";
import { invalid, type FieldError } from "../field-error.ts";
import { compileOne, type CompiledRule, type CompileRule } from "./compiled-rule.ts";
import { earlierField, earlierItem, isUnchanged, type Earlier } from "./correlate.ts";
import { childPath, itemPath, keyPath, printedPath } from "./path.ts";
import { evaluateRule } from "./rule-outcome.ts";
import type { Schema } from "./schema.ts";

/** Checks a value against the rules of its schema. `old` is what it was before; `at` its path when it is part of an object. */
export type CheckRules = (value: unknown, options?: { readonly old?: unknown; readonly at?: string }) => readonly FieldError[];

/** A schema with only what leads to rules. */
type RuleNode = {
  readonly schema: Schema;
  readonly rules: readonly (CompiledRule | Error)[];
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly additional: RuleNode | undefined;
  readonly items: RuleNode | undefined;
};

/** What the value and the nearest value around it were: an error in what has not changed is let pass. */
type Ratchet = { readonly earlier: Earlier | undefined; readonly unchangedAround: boolean };

/**
 * Compiles the `x-kubernetes-validations` of a structural schema, once. Undefined when there are none.
 *
 * Models apiextensions pkg/apiserver/schema/cel/validation.go
 */
export function compileRules(schema: Schema, compile: CompileRule): CheckRules | undefined {
  const root = nodeFor(schema, true, compile);
  if (root === undefined) return undefined;
  return (value, { old, at = "" } = {}) => {
    const earlier = old === undefined ? undefined : { value: old };
    return checkNode(root, value, earlier, at, { earlier, unchangedAround: false });
  };
}

function nodeFor(schema: Schema, isRoot: boolean, compile: CompileRule): RuleNode | undefined {
  const isResource = isRoot || schema["x-kubernetes-embedded-resource"] === true;
  const rules = (schema["x-kubernetes-validations"] ?? []).map((rule) => compileOne(rule, schema, isResource, compile));
  const below = (child: Schema | boolean | undefined) => (typeof child === "object" ? nodeFor(child, false, compile) : undefined);
  const properties = new Map<string, RuleNode>();
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const node = below(child);
    if (node !== undefined) properties.set(name, node);
  }
  const [additional, items] = [below(schema.additionalProperties), below(schema.items)];
  if (rules.length === 0 && properties.size === 0 && additional === undefined && items === undefined) return undefined;
  return { schema, rules, properties, additional, items };
}

function checkNode(node: RuleNode, value: unknown, old: Earlier | undefined, path: string, ratchet: Ratchet): readonly FieldError[] {
  if (value === null || value === undefined) return [];
  const unchanged = ratchet.earlier === undefined ? ratchet.unchangedAround : isUnchanged(value, ratchet.earlier, node.schema);
  const own = node.rules.flatMap((rule) => checkRule(rule, node, value, old, path, unchanged));
  if (Array.isArray(value)) return [...own, ...checkItems(node, value, old, path, { earlier: ratchet.earlier, unchangedAround: unchanged })];
  if (!isFields(value)) return own;
  return [...own, ...checkFields(node, value, old, path, { earlier: ratchet.earlier, unchangedAround: unchanged })];
}

function checkItems(
  { schema, items }: RuleNode,
  value: readonly unknown[],
  old: Earlier | undefined,
  path: string,
  around: Ratchet,
): readonly FieldError[] {
  if (items === undefined) return [];
  return value.flatMap((item, index) => {
    const before = earlierItem(old, schema, item);
    const ratchet = { earlier: earlierItem(around.earlier, schema, item), unchangedAround: around.unchangedAround };
    return checkNode(items, item, before, itemPath(path, index), ratchet);
  });
}

function checkFields(
  { schema, properties, additional }: RuleNode,
  value: Readonly<Record<string, unknown>>,
  old: Earlier | undefined,
  path: string,
  around: Ratchet,
): readonly FieldError[] {
  // The fields of an atomic map change together: which was which cannot be told.
  const correlated = schema["x-kubernetes-map-type"] === "atomic" ? undefined : old;
  return Object.entries(value).flatMap(([name, child]) => {
    const isNamed = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
    const node = isNamed ? properties.get(name) : additional;
    if (node === undefined) return [];
    const ratchet = { earlier: earlierField(around.earlier, schema, name), unchangedAround: around.unchangedAround };
    return checkNode(node, child, earlierField(correlated, schema, name), isNamed ? childPath(path, name) : keyPath(path, name), ratchet);
  });
}

function checkRule(
  rule: CompiledRule | Error,
  { schema }: RuleNode,
  value: unknown,
  old: Earlier | undefined,
  path: string,
  unchanged: boolean,
): readonly FieldError[] {
  if (rule instanceof Error) return [invalid(printedPath(path), schema.type ?? "", `rule compile error: ${rule.message}`)];
  const before = old?.value ?? undefined;
  if (rule.usesOldSelf && before === undefined && rule.rule.optionalOldSelf !== true) return [];
  const outcome = evaluateRule(rule, { self: value, schema, ...(before === undefined ? {} : { oldSelf: before }) }, path);
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
 * What is told instead of checking rules when a value is wrong in a way that rules cannot cope with; undefined when they
 * can be checked. Models apiextensions pkg/registry/customresource/strategy.go hasBlockingErr
 */
export function rulesBlockedBy(errors: readonly FieldError[]): FieldError | undefined {
  if (!errors.some(({ reason }) => blocking.has(reason))) return undefined;
  const why = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
  return invalid("<nil>", null, why);
}
