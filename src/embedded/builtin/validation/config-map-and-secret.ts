import { fieldsAt, isFields, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldForbidden, fieldInvalid, fieldRequired, fieldTooLong, type FieldError } from "../../field-error.ts";
import { isDeepEqual } from "../field-edits.ts";
import { stringField } from "./field-checks.ts";
import { jsonSyntaxProblem } from "./go-json-syntax.ts";
import type { KindRules } from "./kind-rules.ts";
import { formatErrors, validateCoreObjectMeta, validateCoreObjectMetaUpdate, validateImmutableField } from "./object-meta.ts";
import { checkConfigKey, checkDnsSubdomain } from "./name-formats.ts";

// Models pkg/apis/core/validation/validation.go ValidateConfigMap, ValidateSecret and their updates

const mostBytes = 1024 * 1024;
const locked = "field is immutable when `immutable` is set";
const meta = { name: checkDnsSubdomain, namespaced: true };

function keyErrors(object: KubeObject, field: string): readonly FieldError[] {
  return Object.keys(fieldsAt(object, field)).flatMap((key) => formatErrors(checkConfigKey, `${field}[${key}]`, key));
}

const textBytes = (values: Fields): number => sum(values, (value) => Buffer.byteLength(value, "utf8"));
const encodedBytes = (values: Fields): number => sum(values, (value) => Buffer.byteLength(value, "base64"));

function sum(values: Fields, sizeOf: (value: string) => number): number {
  return Object.values(values).reduce<number>((total, value) => total + (typeof value === "string" ? sizeOf(value) : 0), 0);
}

function configMap(object: KubeObject): readonly FieldError[] {
  const binary = fieldsAt(object, "binaryData");
  const data = fieldsAt(object, "data");
  const keys = Object.keys(data).flatMap((key) => [
    ...formatErrors(checkConfigKey, `data[${key}]`, key),
    ...(Object.hasOwn(binary, key) ? [fieldInvalid(`data[${key}]`, key, "duplicate of key present in binaryData")] : []),
  ]);
  const bytes = textBytes(data) + encodedBytes(binary);
  return [
    ...validateCoreObjectMeta(object, meta),
    ...keys,
    ...keyErrors(object, "binaryData"),
    ...(bytes > mostBytes ? [fieldTooLong("[]", mostBytes)] : []),
  ];
}

/** An immutable object keeps its content and stays immutable. */
function lockErrors(object: KubeObject, live: KubeObject, fields: readonly string[]): readonly FieldError[] {
  if (live["immutable"] !== true) return [];
  const changed = fields.filter((field) => !isDeepEqual(object[field], live[field]));
  return [
    ...(object["immutable"] === true ? [] : [fieldForbidden("immutable", locked)]),
    ...changed.map((field) => fieldForbidden(field, locked)),
  ];
}

export const configMapRules: KindRules = {
  create: configMap,
  update: (object, live) => [
    ...validateCoreObjectMetaUpdate(object, live),
    ...lockErrors(object, live, ["data", "binaryData"]),
    ...configMap(object),
  ],
};

const redacted = "<secret contents redacted>";

/** The keys that a Secret of a type must have. */
function typeErrors(secret: KubeObject): readonly FieldError[] {
  const data = fieldsAt(secret, "data");
  const missing = (...keys: readonly string[]): readonly FieldError[] =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => fieldRequired(`data[${key}]`));
  switch (stringField(secret, "type")) {
    case "kubernetes.io/service-account-token": {
      const account = "kubernetes.io/service-account.name";
      return (secret.metadata.annotations?.[account] ?? "") === "" ? [fieldRequired(`metadata.annotations[${account}]`)] : [];
    }
    case "kubernetes.io/dockercfg":
      return Object.hasOwn(data, ".dockercfg") ? jsonErrors(data, ".dockercfg") : missing(".dockercfg");
    case "kubernetes.io/dockerconfigjson":
      return Object.hasOwn(data, ".dockerconfigjson") ? jsonErrors(data, ".dockerconfigjson") : missing(".dockerconfigjson");
    case "kubernetes.io/basic-auth":
      return Object.hasOwn(data, "username") || Object.hasOwn(data, "password") ? [] : missing("username", "password");
    case "kubernetes.io/ssh-auth":
      return stringAt(data, "ssh-privatekey", "") === "" ? [fieldRequired("data[ssh-privatekey]")] : [];
    case "kubernetes.io/tls":
      return missing("tls.crt", "tls.key");
    default:
      return [];
  }
}

function jsonErrors(data: Fields, key: string): readonly FieldError[] {
  const bytes = data[key];
  const problem = jsonProblem(Buffer.from(typeof bytes === "string" ? bytes : "", "base64").toString("utf8"));
  return problem === undefined ? [] : [fieldInvalid(`data[${key}]`, redacted, problem)];
}

function jsonProblem(json: string): string | undefined {
  const broken = jsonSyntaxProblem(json);
  if (broken !== undefined) return broken;
  const value: unknown = JSON.parse(json);
  if (value === null || isFields(value)) return undefined;
  const noun = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  return `json: cannot unmarshal ${noun} into Go value of type map[string]interface {}`;
}

function secret(object: KubeObject): readonly FieldError[] {
  const tooMuch = encodedBytes(fieldsAt(object, "data")) > mostBytes;
  return [
    ...validateCoreObjectMeta(object, meta),
    ...keyErrors(object, "data"),
    ...(tooMuch ? [fieldTooLong("data", mostBytes)] : []),
    ...typeErrors(object),
  ];
}

export const secretRules: KindRules = {
  create: secret,
  update: (object, live) => [
    ...validateCoreObjectMetaUpdate(object, live),
    ...validateImmutableField(object["type"], live["type"], "type"),
    ...lockErrors(object, live, ["data"]),
    ...secret(object),
  ],
};
