import { fieldsAt, isFields, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { forbidden, invalid, required, tooLong, type FieldError } from "../../field-error.ts";
import { isSame } from "../edit.ts";
import { text } from "./check.ts";
import { jsonSyntaxProblem } from "./go-json.ts";
import type { KindRules } from "./kind.ts";
import { checked, coreMeta, coreMetaUpdate, unchanged } from "./meta.ts";
import { configKey, dnsSubdomain } from "./names.ts";

// Models pkg/apis/core/validation/validation.go ValidateConfigMap, ValidateSecret and their updates

const mostBytes = 1024 * 1024;
const locked = "field is immutable when `immutable` is set";
const meta = { name: dnsSubdomain, namespaced: true };

function keyErrors(object: KubeObject, field: string): readonly FieldError[] {
  return Object.keys(fieldsAt(object, field)).flatMap((key) => checked(configKey, `${field}[${key}]`, key));
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
    ...checked(configKey, `data[${key}]`, key),
    ...(Object.hasOwn(binary, key) ? [invalid(`data[${key}]`, key, "duplicate of key present in binaryData")] : []),
  ]);
  const bytes = textBytes(data) + encodedBytes(binary);
  return [...coreMeta(object, meta), ...keys, ...keyErrors(object, "binaryData"), ...(bytes > mostBytes ? [tooLong("[]", mostBytes)] : [])];
}

/** What was made immutable stays as it is, and stays immutable. */
function lockErrors(object: KubeObject, live: KubeObject, fields: readonly string[]): readonly FieldError[] {
  if (live["immutable"] !== true) return [];
  const changed = fields.filter((field) => !isSame(object[field], live[field]));
  return [...(object["immutable"] === true ? [] : [forbidden("immutable", locked)]), ...changed.map((field) => forbidden(field, locked))];
}

export const configMapRules: KindRules = {
  create: configMap,
  update: (object, live) => [...coreMetaUpdate(object, live), ...lockErrors(object, live, ["data", "binaryData"]), ...configMap(object)],
};

const redacted = "<secret contents redacted>";

/** What a Secret of a type must hold. */
function typeErrors(secret: KubeObject): readonly FieldError[] {
  const data = fieldsAt(secret, "data");
  const missing = (...keys: readonly string[]): readonly FieldError[] =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`));
  switch (text(secret, "type")) {
    case "kubernetes.io/service-account-token": {
      const account = "kubernetes.io/service-account.name";
      return (secret.metadata.annotations?.[account] ?? "") === "" ? [required(`metadata.annotations[${account}]`)] : [];
    }
    case "kubernetes.io/dockercfg":
      return Object.hasOwn(data, ".dockercfg") ? jsonErrors(data, ".dockercfg") : missing(".dockercfg");
    case "kubernetes.io/dockerconfigjson":
      return Object.hasOwn(data, ".dockerconfigjson") ? jsonErrors(data, ".dockerconfigjson") : missing(".dockerconfigjson");
    case "kubernetes.io/basic-auth":
      return Object.hasOwn(data, "username") || Object.hasOwn(data, "password") ? [] : missing("username", "password");
    case "kubernetes.io/ssh-auth":
      return stringAt(data, "ssh-privatekey", "") === "" ? [required("data[ssh-privatekey]")] : [];
    case "kubernetes.io/tls":
      return missing("tls.crt", "tls.key");
    default:
      return [];
  }
}

function jsonErrors(data: Fields, key: string): readonly FieldError[] {
  const bytes = data[key];
  const problem = jsonProblem(Buffer.from(typeof bytes === "string" ? bytes : "", "base64").toString("utf8"));
  return problem === undefined ? [] : [invalid(`data[${key}]`, redacted, problem)];
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
  return [...coreMeta(object, meta), ...keyErrors(object, "data"), ...(tooMuch ? [tooLong("data", mostBytes)] : []), ...typeErrors(object)];
}

export const secretRules: KindRules = {
  create: secret,
  update: (object, live) => [
    ...coreMetaUpdate(object, live),
    ...unchanged(object["type"], live["type"], "type"),
    ...lockErrors(object, live, ["data"]),
    ...secret(object),
  ],
};
