import { isDeepStrictEqual } from "node:util";
import { fieldForbidden, fieldInvalid, type FieldError } from "../field-error.ts";
import {
  childPath,
  compileRules,
  itemPath,
  pruneUnknownFields,
  validateSchemaValue,
  validateEmbeddedResources,
  type CompileCelRule,
  type JsonSchemaProps,
} from "../schema/index.ts";
import { canonicalSchema } from "./canonical-schema.ts";
import { checkRuleForms, checkRulesCompile } from "./validation-rule-check.ts";
import { checkSchemaNode, propertyPath, type SchemaNodeContext } from "./schema-node.ts";
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

/**
 * Validates the schema of a CRD: that it is structural, that its defaults are valid and that its rules compile (when a
 * compiler is given). Models apiextensions pkg/apis/apiextensions/validation/validation.go
 */
export function validateCrdSchema(
  schema: JsonSchemaProps,
  path: string,
  hasStatus: boolean,
  compile?: CompileCelRule,
): readonly FieldError[] {
  const at = childPath(path, "openAPIV3Schema");
  return [...(hasStatus ? checkRoot(schema, at) : []), ...(compile === undefined ? checkAll(schema, at) : checkOnce(schema, at, compile))];
}

/** Errors have the path in them, so only a schema without errors is not checked again. */
function checkOnce(schema: JsonSchemaProps, path: string, compile: CompileCelRule): readonly FieldError[] {
  const canonical = canonicalSchema(schema);
  const checked = sound.get(compile) ?? new WeakSet();
  if (checked.has(canonical)) return [];
  const errors = checkAll(schema, path, compile);
  if (errors.length === 0) sound.set(compile, checked.add(canonical));
  return errors;
}

function checkAll(schema: JsonSchemaProps, path: string, compile?: CompileCelRule): readonly FieldError[] {
  const structural = validateStructuralSchema(schema, path);
  const unfit = structural.length > 0 ? structural : validateDefaults(schema, path, compile);
  const forms = walk(schema, path, rootContext, checkForms);
  const compiled =
    compile !== undefined && unfit.length === 0 && forms.length === 0 ? walk(schema, path, rootContext, compileWith(compile)) : [];
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

type WalkContext = SchemaNodeContext & { readonly isRoot: boolean };
type NodeCheck = (schema: JsonSchemaProps, path: string, context: WalkContext) => readonly FieldError[];

const rootContext: WalkContext = { isRoot: true, defaultsForbidden: undefined, insideMeta: false, uncorrelatable: undefined };

const checkForms: NodeCheck = (schema, path, context) => [...checkSchemaNode(schema, path, context), ...checkRuleForms(schema, path)];

function compileWith(compile: CompileCelRule): NodeCheck {
  return (schema, path, context) => checkRulesCompile(schema, path, context, compile);
}

/** Visits every node of a schema, with the context of its parents. */
function walk(schema: JsonSchemaProps, path: string, context: WalkContext, check: NodeCheck): readonly FieldError[] {
  const inside = { ...context, isRoot: false };
  const { additionalProperties, properties = {}, items, allOf = [], anyOf = [], oneOf = [], not } = schema;
  const listed = (name: string, schemas: readonly JsonSchemaProps[]) =>
    schemas.flatMap((one, index) => walk(one, itemPath(childPath(path, name), index), inside, check));
  const ofValues = context.insideMeta
    ? { ...inside, defaultsForbidden: "inside additionalProperties applying to object metadata" }
    : inside;
  return [
    ...check(schema, path, context),
    ...(typeof additionalProperties === "object"
      ? walk(additionalProperties, childPath(path, "additionalProperties"), ofValues, check)
      : []),
    ...Object.entries(properties).flatMap(([name, child]) => {
      return walk(child, propertyPath(path, name), propertyContext(name, schema, context), check);
    }),
    ...(not === undefined ? [] : walk(not, childPath(path, "not"), inside, check)),
    ...listed("allOf", allOf),
    ...listed("oneOf", oneOf),
    ...listed("anyOf", anyOf),
    ...(items === undefined || Array.isArray(items) ? [] : walk(items, childPath(path, "items"), itemContext(schema, path, inside), check)),
  ];
}

function propertyContext(name: string, schema: JsonSchemaProps, context: WalkContext): WalkContext {
  const isMeta = (context.isRoot || schema["x-kubernetes-embedded-resource"] === true) && metaFields.has(name);
  return {
    isRoot: false,
    insideMeta: context.insideMeta || isMeta,
    defaultsForbidden: isMeta && context.isRoot ? `in top-level ${name}` : context.defaultsForbidden,
    uncorrelatable: context.uncorrelatable,
  };
}

/** Only items of lists of type map can be correlated. */
function itemContext(schema: JsonSchemaProps, path: string, context: WalkContext): WalkContext {
  const isCorrelatable = schema["x-kubernetes-list-type"] === "map";
  return { ...context, uncorrelatable: context.uncorrelatable ?? (isCorrelatable ? undefined : path) };
}

/** Validates each default against its own schema. Models apiextensions pkg/apiserver/schema/defaulting/validation.go */
function validateDefaults(schema: JsonSchemaProps, path: string, compile: CompileCelRule | undefined): readonly FieldError[] {
  const { items, properties = {}, default: value } = schema;
  return [
    ...(value === undefined || value === null ? [] : checkDefault(value, schema, childPath(path, "default"), compile)),
    ...(items === undefined ? [] : validateDefaults(items, childPath(path, "items"), compile)),
    ...Object.entries(properties).flatMap(([name, child]) => validateDefaults(child, propertyPath(path, name), compile)),
  ];
}

function checkDefault(value: unknown, schema: JsonSchemaProps, path: string, compile: CompileCelRule | undefined): readonly FieldError[] {
  const isResource = schema["x-kubernetes-embedded-resource"] === true;
  const { value: pruned } = isResource
    ? pruneUnknownFields(value, schema)
    : pruneUnknownFields({ default: value }, { type: "object", properties: { default: schema } });
  const kept = isResource ? pruned : (pruned as { readonly default?: unknown }).default;
  const unknown = isDeepStrictEqual(kept, value) ? [] : [fieldInvalid(path, value, "must not have unknown fields")];
  const embedded = validateEmbeddedResources(value, schema, undefined, path);
  if (embedded.length > 0) return [...unknown, ...embedded];
  const wrong = validateSchemaValue(value, schema, { at: path });
  if (wrong.length > 0 || compile === undefined) return [...unknown, ...wrong];
  return [...unknown, ...(compileRules(schema, compile)?.(value, { old: value, at: path }) ?? [])];
}
