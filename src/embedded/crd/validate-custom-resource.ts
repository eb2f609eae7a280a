import type { KubeObject } from "../../core/object/index.ts";
import { valueAt } from "../../core/object/index.ts";
import { fieldInvalid, type FieldError } from "../field-error.ts";
import {
  rulesBlockedBy,
  validateSchemaValue,
  validateEmbeddedResources,
  validateListTypes,
  type CheckMetadata,
  type CheckRules,
} from "../schema/index.ts";
import type { ServedCrdVersion } from "./served-crd-version.ts";

type CustomResourceCheck = {
  /** The live object, in the same version. Default: the object is being created. */
  readonly old?: KubeObject;
  /** The compiled rules of the version's schema (`compileRules`). Default: none. */
  readonly rules?: CheckRules | undefined;
  /** Only the status is being written. Default: the object. */
  readonly status?: boolean;
  /** Validates the metadata of embedded resources. Default: it is not validated. */
  readonly checkMetadata?: CheckMetadata;
};

const largestInt32 = 2 ** 31 - 1;

/**
 * Validates a custom resource: its schema, the paths of its scale subresource, embedded resources, sets and maps among
 * its lists, and its rules. Its own metadata is validated elsewhere, as for any object.
 *
 * Models apiextensions pkg/registry/customresource/strategy.go, status_strategy.go, validator.go
 */
export function validateCustomResource(
  object: KubeObject,
  version: ServedCrdVersion,
  check: CustomResourceCheck = {},
): readonly FieldError[] {
  const { old, rules, status = false, checkMetadata } = check;
  const { schema } = version;
  const listsWereFine = old === undefined || validateListTypes(old, schema).length === 0;
  const errors = [
    ...(status ? checkStatus(object, version, old) : validateSchemaValue(object, schema, old === undefined ? {} : { old })),
    ...checkScale(object, version, status),
    ...(status ? [] : validateEmbeddedResources(object, schema, checkMetadata)),
    ...(listsWereFine ? validateListTypes(object, schema) : []),
  ];
  if (rules === undefined) return errors;
  const blocked = rulesBlockedBy(errors);
  return [...errors, ...(blocked === undefined ? rules(object, old === undefined ? {} : { old }) : [blocked])];
}

function checkStatus(object: KubeObject, { schema }: ServedCrdVersion, old: KubeObject | undefined): readonly FieldError[] {
  const statusSchema = schema.properties?.["status"];
  if (statusSchema === undefined || !Object.hasOwn(object, "status")) return [];
  const before = old?.["status"];
  return validateSchemaValue(object["status"], statusSchema, { at: "status", ...(before === undefined ? {} : { old: before }) });
}

function checkScale(object: KubeObject, { scale }: ServedCrdVersion, status: boolean): readonly FieldError[] {
  if (scale === undefined) return [];
  return [
    ...(status ? [] : checkReplicas(object, scale.specReplicasPath)),
    ...checkReplicas(object, scale.statusReplicasPath),
    ...checkSelector(object, scale.labelSelectorPath ?? ""),
  ];
}

function checkReplicas(object: KubeObject, path: string): readonly FieldError[] {
  const replicas = valueAt(object, path.replace(/^\./, ""));
  if (replicas === undefined) return [];
  if (typeof replicas !== "number" || !Number.isInteger(replicas)) {
    return [fieldInvalid(path, 0, `${path} accessor error: ${printed(replicas)} is of the type ${goTypeName(replicas)}, expected int64`)];
  }
  if (replicas < 0) return [fieldInvalid(path, replicas, "should be a non-negative integer")];
  return replicas > largestInt32 ? [fieldInvalid(path, replicas, `should be less than or equal to ${largestInt32}`)] : [];
}

function checkSelector(object: KubeObject, path: string): readonly FieldError[] {
  const selector = path === "" ? undefined : valueAt(object, path.replace(/^\./, ""));
  if (selector === undefined || typeof selector === "string") return [];
  return [fieldInvalid(path, "", `${path} accessor error: ${printed(selector)} is of the type ${goTypeName(selector)}, expected string`)];
}

function printed(value: unknown): string {
  return value === null ? "<nil>" : typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The Go type that an untyped JSON value decodes to. */
function goTypeName(value: unknown): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return { string: "string", boolean: "bool" }[typeof value as string] ?? "map[string]interface {}";
}
