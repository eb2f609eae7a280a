import { equal } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import { fieldForbidden, fieldInvalid, type FieldError } from "../field-error.ts";
import {
  childPath,
  compileRules,
  itemPath,
  pruneUnknownFields,
  RuleBudget,
  validateSchemaValue,
  validateEmbeddedResources,
  type CheckRules,
  type CompileCelRule,
  type JsonSchemaProps,
} from "../schema/index.ts";
import { canonicalSchema } from "./canonical-schema.ts";
import { RuleCosts } from "./rule-costs.ts";
import { checkRuleForms, checkRulesCompile, type RuleCheck, type RuleNodeContext } from "./validation-rule-check.ts";
import { checkSchemaNode, propertyPath } from "./schema-node.ts";
import { validateStructuralSchema } from "./structural-schema.ts";

/** The keywords that the root of a schema may have beside a status subresource, in the server's spelling. */
const allowedAtRoot = [
  "Description",
  "Type",
  "Format",
  "Title",
  "Maximum",
  "ExclusiveMaximum",
  "Minimum",
  "ExclusiveMinimum",
  "MaxLength",
  "MinLength",
  "Pattern",
  "MaxItems",
  "MinItems",
  "UniqueItems",
  "MultipleOf",
  "Required",
  "Items",
  "Properties",
  "ExternalDocs",
  "Example",
  "XPreserveUnknownFields",
  "XValidations",
];

const metaFields: ReadonlySet<string> = new Set(["metadata", "kind", "apiVersion"]);

/** By compiler, the schemas that it found nothing wrong with. */
const sound = new WeakMap<CompileCelRule, WeakSet<JsonSchemaProps>>();

type SchemaCheck = {
  /** Default: rules are not compiled. */
  readonly compile?: CompileCelRule | undefined;
  /** The version had this schema before, which keeps the rules that cost too much. Default: it had not. */
  readonly isUnchanged?: () => boolean;
};

/**
 * Validates the schema of a CRD: that it is structural, that its defaults are valid and that its rules compile and do not
 * cost too much (when a compiler is given). Models apiextensions pkg/apis/apiextensions/validation/validation.go
 */
export function validateCrdSchema(
  schema: JsonSchemaProps,
  path: string,
  hasStatus: boolean,
  check: SchemaCheck = {},
): readonly FieldError[] {
  const at = childPath(path, "openAPIV3Schema");
  return [...(hasStatus ? checkRoot(schema, at) : []), ...checkOnce(schema, at, check)];
}

/** Errors have the path in them, so only a schema without errors is not checked again. */
function checkOnce(schema: JsonSchemaProps, path: string, check: SchemaCheck): readonly FieldError[] {
  const { compile } = check;
  if (compile === undefined) return checkAll(schema, path);
  const canonical = canonicalSchema(schema);
  const checked = sound.get(compile) ?? new WeakSet();
  if (checked.has(canonical)) return [];
  const mayBeExpensive = check.isUnchanged?.() ?? false;
  const errors = checkAll(schema, path, { compile, mayBeExpensive });
  if (errors.length === 0 && !mayBeExpensive) sound.set(compile, checked.add(canonical));
  return errors;
}

type RuleOptions = Pick<RuleCheck, "compile" | "mayBeExpensive">;

function checkAll(schema: JsonSchemaProps, path: string, rules?: RuleOptions): readonly FieldError[] {
  const structural = validateStructuralSchema(schema, path);
  const unfit = structural.length > 0 ? structural : validateDefaults(schema, path, rules?.compile);
  const forms = checkNodes(schema, path, checkForms);
  const compiled = rules !== undefined && unfit.length === 0 && forms.length === 0 ? checkRules(schema, path, rules) : [];
  const nullable = schema.nullable === true ? [fieldForbidden(`${path}.nullable`, "nullable cannot be true at the root")] : [];
  return [...nullable, ...unfit, ...forms, ...compiled];
}

function checkRoot(schema: JsonSchemaProps, path: string): readonly FieldError[] {
  if (schema.type !== undefined && schema.type !== "object") {
    const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [fieldInvalid(`${path}.type`, schema.type, why)];
  }
  const isAllowed = (name: string) => {
    const internal = name.replace(/^x-kubernetes-/, "x-").replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
    return allowedAtRoot.includes(internal);
  };
  if (Object.keys(schema).every(isAllowed)) return [];
  const why = `only [${allowedAtRoot.join(" ")}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [fieldInvalid(path, schema, why)];
}

/** What is found at a node comes before what is found below it, or after. */
type NodeCheck = {
  readonly order: "before" | "after";
  readonly errorsAt: (schema: JsonSchemaProps, path: string, context: RuleNodeContext) => readonly FieldError[];
};

const rootContext: RuleNodeContext = {
  isRoot: true,
  defaultsForbidden: undefined,
  insideMeta: false,
  uncorrelatable: undefined,
  cardinality: 1,
};

const checkForms: NodeCheck = {
  order: "before",
  errorsAt: (schema, path, context) => [...checkSchemaNode(schema, path, context), ...checkRuleForms(schema, path)],
};

function checkRules(schema: JsonSchemaProps, path: string, rules: RuleOptions): readonly FieldError[] {
  const costs = new RuleCosts();
  const check = { ...rules, costs };
  const errors = checkNodes(schema, path, {
    order: "after",
    errorsAt: (node, at, context) => checkRulesCompile(node, at, context, check),
  });
  return [...errors, ...costs.errors(path)];
}

function checkNodes(schema: JsonSchemaProps, path: string, check: NodeCheck): readonly FieldError[] {
  const found: FieldError[] = [];
  runNested(walk(schema, path, rootContext, check, found));
  return found;
}

/** Visits every node of a schema, with the context of its parents. */
function* walk(schema: JsonSchemaProps, path: string, context: RuleNodeContext, check: NodeCheck, found: FieldError[]): Nested<void> {
  if (check.order === "before") for (const error of check.errorsAt(schema, path, context)) found.push(error);
  const inside = { ...context, isRoot: false, cardinality: cardinalityBelow(schema, context) };
  const { additionalProperties, properties = {}, items, not } = schema;
  if (typeof additionalProperties === "object") {
    const ofValues = context.insideMeta
      ? { ...inside, defaultsForbidden: "inside additionalProperties applying to object metadata" }
      : inside;
    yield* callNested(walk(additionalProperties, childPath(path, "additionalProperties"), ofValues, check, found));
  }
  for (const [name, child] of Object.entries(properties))
    yield* callNested(walk(child, propertyPath(path, name), propertyContext(name, schema, context, inside), check, found));
  if (not !== undefined) yield* callNested(walk(not, childPath(path, "not"), inside, check, found));
  for (const name of ["allOf", "oneOf", "anyOf"] as const)
    for (const [index, one] of (schema[name] ?? []).entries())
      yield* callNested(walk(one, itemPath(childPath(path, name), index), inside, check, found));
  if (items !== undefined && !Array.isArray(items))
    yield* callNested(walk(items, childPath(path, "items"), itemContext(schema, path, inside), check, found));
  if (check.order === "after") for (const error of check.errorsAt(schema, path, context)) found.push(error);
}

/** How many values there can be below all the values of a node. */
function cardinalityBelow({ type, additionalProperties, maxProperties, maxItems }: JsonSchemaProps, { cardinality }: RuleNodeContext) {
  const isMap = type === "object" && additionalProperties !== undefined;
  const factor = isMap ? maxProperties : type === "array" ? maxItems : 1;
  return cardinality === undefined || factor === undefined ? undefined : cardinality * Math.max(factor, 0);
}

function propertyContext(name: string, schema: JsonSchemaProps, context: RuleNodeContext, inside: RuleNodeContext): RuleNodeContext {
  const isMeta = (context.isRoot || schema["x-kubernetes-embedded-resource"] === true) && metaFields.has(name);
  return {
    ...inside,
    insideMeta: context.insideMeta || isMeta,
    defaultsForbidden: isMeta && context.isRoot ? `in top-level ${name}` : context.defaultsForbidden,
  };
}

/** Only items of lists of type map can be correlated. */
function itemContext(schema: JsonSchemaProps, path: string, context: RuleNodeContext): RuleNodeContext {
  const isCorrelatable = schema["x-kubernetes-list-type"] === "map";
  return { ...context, uncorrelatable: context.uncorrelatable ?? (isCorrelatable ? undefined : path) };
}

/** Validates each default against its own schema. Models apiextensions pkg/apiserver/schema/defaulting/validation.go */
function validateDefaults(schema: JsonSchemaProps, path: string, compile: CompileCelRule | undefined): readonly FieldError[] {
  const found: FieldError[] = [];
  runNested(checkDefaults(schema, path, { compile, budget: new RuleBudget() }, found));
  return found;
}

function* checkDefaults(schema: JsonSchemaProps, path: string, check: DefaultCheck, found: FieldError[]): Nested<void> {
  if (check.budget.isOver) return;
  const { items, properties = {}, default: value } = schema;
  if (value !== undefined && value !== null)
    for (const error of checkDefault(value, schema, childPath(path, "default"), check)) found.push(error);
  if (items !== undefined) yield* callNested(checkDefaults(items, childPath(path, "items"), check, found));
  for (const [name, child] of Object.entries(properties)) yield* callNested(checkDefaults(child, propertyPath(path, name), check, found));
}

type DefaultCheck = { readonly compile: CompileCelRule | undefined; readonly budget: RuleBudget };

function checkDefault(value: unknown, schema: JsonSchemaProps, path: string, { compile, budget }: DefaultCheck): readonly FieldError[] {
  const isResource = schema["x-kubernetes-embedded-resource"] === true;
  const { value: pruned } = isResource
    ? pruneUnknownFields(value, schema)
    : pruneUnknownFields({ default: value }, { type: "object", properties: { default: schema } });
  const kept = isResource ? pruned : (pruned as { readonly default?: unknown }).default;
  const unknown = equal(kept, value) ? [] : [fieldInvalid(path, value, "must not have unknown fields")];
  const embedded = validateEmbeddedResources(value, schema, undefined, path);
  if (embedded.length > 0) return [...unknown, ...embedded];
  const wrong = validateSchemaValue(value, schema, { at: path });
  if (wrong.length > 0 || compile === undefined) return [...unknown, ...wrong];
  const check = compileRules(schema, compile);
  return [...unknown, ...(check === undefined ? [] : checkDefaultRules(value, check, path, budget))];
}

/** A default can take the place of an equal value and of none at all, so it must satisfy the rules both times. */
function checkDefaultRules(value: unknown, check: CheckRules, at: string, budget: RuleBudget): readonly FieldError[] {
  const [asUpdate, asCreate] = [budget.copy(), budget.copy()];
  const errors = check(value, { old: value, at, ratchets: false, budget: asUpdate });
  const found = errors.length > 0 ? errors : check(value, { at, budget: asCreate });
  budget.lowerTo(asUpdate, asCreate);
  return found;
}
