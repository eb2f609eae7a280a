import { isDeepStrictEqual } from "node:util";
import { forbidden, invalid, type FieldError } from "../field-error.ts";
import { childPath, compileRules, itemPath, prune, validate, validateEmbedded, type CompileRule, type Schema } from "../schema/index.ts";
import { checkRuleForms, checkRulesCompile } from "./rule-check.ts";
import { checkSchemaNode, propertyPath, type Standing } from "./schema-node.ts";
import { validateStructural } from "./structural.ts";

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

/**
 * Checks the schema of a definition: that it is structural, that its defaults fit it and that its rules compile (when there
 * is something to compile them with). Models apiextensions pkg/apis/apiextensions/validation/validation.go
 */
export function validateSchema(schema: Schema, path: string, hasStatus: boolean, compile?: CompileRule): readonly FieldError[] {
  const at = childPath(path, "openAPIV3Schema");
  const structural = validateStructural(schema, at);
  const unfit = structural.length > 0 ? structural : validateDefaults(schema, at, compile);
  const forms = walk(schema, at, topStanding, checkForms);
  const compiled =
    compile !== undefined && unfit.length === 0 && forms.length === 0 ? walk(schema, at, topStanding, compileWith(compile)) : [];
  const nullable = schema.nullable === true ? [forbidden(`${at}.nullable`, "nullable cannot be true at the root")] : [];
  return [...(hasStatus ? checkRoot(schema, at) : []), ...nullable, ...unfit, ...forms, ...compiled];
}

function checkRoot(schema: Schema, path: string): readonly FieldError[] {
  if (schema.type !== undefined && schema.type !== "object") {
    const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalid(`${path}.type`, schema.type, why)];
  }
  const isAllowed = (name: string) => {
    const internal = name.replace(/^x-kubernetes-/, "x-").replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
    return allowedAtRoot.includes(internal);
  };
  if (Object.keys(schema).every(isAllowed)) return [];
  const why = `only [${allowedAtRoot.join(" ")}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalid(path, schema, why)];
}

type WalkStanding = Standing & { readonly isRoot: boolean };
type NodeCheck = (schema: Schema, path: string, standing: WalkStanding) => readonly FieldError[];

const topStanding: WalkStanding = { isRoot: true, defaultsForbidden: undefined, insideMeta: false, uncorrelatable: undefined };

const checkForms: NodeCheck = (schema, path, standing) => [...checkSchemaNode(schema, path, standing), ...checkRuleForms(schema, path)];

function compileWith(compile: CompileRule): NodeCheck {
  return (schema, path, standing) => checkRulesCompile(schema, path, standing, compile);
}

/** Looks at every node of a schema, with what the nodes around it mean for it. */
function walk(schema: Schema, path: string, standing: WalkStanding, check: NodeCheck): readonly FieldError[] {
  const inside = { ...standing, isRoot: false };
  const { additionalProperties, properties = {}, items, allOf = [], anyOf = [], oneOf = [], not } = schema;
  const listed = (name: string, schemas: readonly Schema[]) =>
    schemas.flatMap((one, index) => walk(one, itemPath(childPath(path, name), index), inside, check));
  const ofValues = standing.insideMeta
    ? { ...inside, defaultsForbidden: "inside additionalProperties applying to object metadata" }
    : inside;
  return [
    ...check(schema, path, standing),
    ...(typeof additionalProperties === "object"
      ? walk(additionalProperties, childPath(path, "additionalProperties"), ofValues, check)
      : []),
    ...Object.entries(properties).flatMap(([name, child]) => {
      return walk(child, propertyPath(path, name), standingOf(name, schema, standing), check);
    }),
    ...(not === undefined ? [] : walk(not, childPath(path, "not"), inside, check)),
    ...listed("allOf", allOf),
    ...listed("oneOf", oneOf),
    ...listed("anyOf", anyOf),
    ...(items === undefined || Array.isArray(items)
      ? []
      : walk(items, childPath(path, "items"), itemStanding(schema, path, inside), check)),
  ];
}

function standingOf(name: string, schema: Schema, standing: WalkStanding): WalkStanding {
  const isMeta = (standing.isRoot || schema["x-kubernetes-embedded-resource"] === true) && metaFields.has(name);
  return {
    isRoot: false,
    insideMeta: standing.insideMeta || isMeta,
    defaultsForbidden: isMeta && standing.isRoot ? `in top-level ${name}` : standing.defaultsForbidden,
    uncorrelatable: standing.uncorrelatable,
  };
}

/** Which member of a list was which is known of lists of type map only. */
function itemStanding(schema: Schema, path: string, standing: WalkStanding): WalkStanding {
  const isCorrelatable = schema["x-kubernetes-list-type"] === "map";
  return { ...standing, uncorrelatable: standing.uncorrelatable ?? (isCorrelatable ? undefined : path) };
}

/** Checks that each default is a value that its own schema accepts. Models apiextensions pkg/apiserver/schema/defaulting/validation.go */
function validateDefaults(schema: Schema, path: string, compile: CompileRule | undefined): readonly FieldError[] {
  const { items, properties = {}, default: value } = schema;
  return [
    ...(value === undefined || value === null ? [] : checkDefault(value, schema, childPath(path, "default"), compile)),
    ...(items === undefined ? [] : validateDefaults(items, childPath(path, "items"), compile)),
    ...Object.entries(properties).flatMap(([name, child]) => validateDefaults(child, propertyPath(path, name), compile)),
  ];
}

function checkDefault(value: unknown, schema: Schema, path: string, compile: CompileRule | undefined): readonly FieldError[] {
  const isResource = schema["x-kubernetes-embedded-resource"] === true;
  const { value: pruned } = isResource
    ? prune(value, schema)
    : prune({ default: value }, { type: "object", properties: { default: schema } });
  const kept = isResource ? pruned : (pruned as { readonly default?: unknown }).default;
  const unknown = isDeepStrictEqual(kept, value) ? [] : [invalid(path, value, "must not have unknown fields")];
  const embedded = validateEmbedded(value, schema, undefined, path);
  if (embedded.length > 0) return [...unknown, ...embedded];
  const wrong = validate(value, schema, { at: path });
  if (wrong.length > 0 || compile === undefined) return [...unknown, ...wrong];
  return [...unknown, ...(compileRules(schema, compile)?.(value, { old: value, at: path }) ?? [])];
}
