import { isFields, type Fields } from "../../../core/object/index.ts";
import { fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../../field-error.ts";
import { parseQuantity, printQuantity } from "../quantity.ts";
import { checkEach, hasField, checkRequired, checkPresent, stringField } from "./field-checks.ts";
import { formatErrors } from "./object-meta.ts";
import { asPrefix, checkConfigKey, checkDnsLabel, checkDnsSubdomain, checkEnvironmentName, checkQualifiedName } from "./name-formats.ts";
import { validatePathNoBacksteps } from "./volume-path.ts";

// Models pkg/apis/core/validation/validation.go ValidateEnv, ValidateEnvFrom and what they call

const envFieldPaths = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];
export const volumeFieldPaths = ["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];
/** The fields that the downward API supports. Models pkg/apis/core/pods/helpers.go ConvertDownwardAPIFieldLabel */
const convertible = new Set([...envFieldPaths, ...volumeFieldPaths, "spec.restartPolicy", "status.phase", "spec.schedulerName"]);

const resources = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];
const sizes = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];

export function validateFieldRef(ref: Fields, path: string, supported: readonly string[]): readonly FieldError[] {
  if (stringField(ref, "apiVersion") === "") return [fieldRequired(`${path}.apiVersion`)];
  const fieldPath = stringField(ref, "fieldPath");
  if (fieldPath === "") return [fieldRequired(`${path}.fieldPath`)];
  const subscripted = /^(.*)\['(.*)'\]$/.exec(fieldPath);
  if (subscripted) return subscript(subscripted[1] ?? "", subscripted[2] ?? "", path);
  if (!convertible.has(fieldPath))
    return [fieldInvalid(`${path}.fieldPath`, fieldPath, `error converting fieldPath: field label not supported: ${fieldPath}`)];
  return supported.includes(fieldPath) ? [] : [fieldNotSupported(`${path}.fieldPath`, fieldPath, supported)];
}

function subscript(base: string, key: string, path: string): readonly FieldError[] {
  if (base === "metadata.annotations") return formatErrors(checkQualifiedName, path, key.toLowerCase());
  if (base === "metadata.labels") return formatErrors(checkQualifiedName, path, key);
  if (convertible.has(base)) return [fieldInvalid(path, base, "does not support subscript")];
  return [
    fieldInvalid(`${path}.fieldPath`, `${base}['${key}']`, `error converting fieldPath: field label not supported: ${base}['${key}']`),
  ];
}

const isHugePages = (resource: string): boolean => /^(?:requests|limits)\.hugepages-/.test(resource);

export function validateResourceFieldRef(ref: Fields, path: string, inVolume: boolean): readonly FieldError[] {
  const resource = stringField(ref, "resource");
  return [...resourceErrors(ref, resource, path, inVolume), ...divisorErrors(ref, resource, path)];
}

function resourceErrors(ref: Fields, resource: string, path: string, inVolume: boolean): readonly FieldError[] {
  if (inVolume && stringField(ref, "containerName") === "") return [fieldRequired(`${path}.containerName`)];
  if (resource === "") return [fieldRequired(`${path}.resource`)];
  return resources.includes(resource) || isHugePages(resource) ? [] : [fieldNotSupported(`${path}.resource`, resource, resources)];
}

function divisorErrors(ref: Fields, resource: string, path: string): readonly FieldError[] {
  const quantity = parseQuantity(ref["divisor"] ?? "0");
  if (typeof quantity === "string" || quantity.nano === 0n) return [];
  const divisor = printQuantity(quantity);
  const wrong = (detail: string): readonly FieldError[] => [fieldInvalid(`${path}.divisor`, resource, `only divisor's values ${detail}`)];
  if (resource.endsWith(".cpu")) return ["1m", "1"].includes(divisor) ? [] : wrong("1m and 1 are supported with the cpu resource");
  if (sizes.includes(divisor)) return [];
  const noun = resource.endsWith(".memory") ? "memory" : resource.endsWith(".ephemeral-storage") ? "local ephemeral storage" : "hugepages";
  return resources.includes(resource) || isHugePages(resource) ? wrong(`${sizes.join(", ")} are supported with the ${noun} resource`) : [];
}

function keySelector(ref: Fields, path: string): readonly FieldError[] {
  return [...formatErrors(checkDnsSubdomain, `${path}.name`, stringField(ref, "name")), ...checkRequired(ref, "key", path, checkConfigKey)];
}

function fileKeySelector(ref: Fields, path: string): readonly FieldError[] {
  const file = stringField(ref, "path");
  return [
    ...checkRequired(ref, "key", path, checkEnvironmentName),
    ...checkRequired(ref, "volumeName", path, checkDnsLabel),
    ...checkPresent(ref, "path", path),
    ...validatePathNoBacksteps(file, `${path}.path`),
  ];
}

const sources: Readonly<Record<string, (ref: Fields, path: string) => readonly FieldError[]>> = {
  fieldRef: (ref, path) => validateFieldRef(ref, path, envFieldPaths),
  resourceFieldRef: (ref, path) => validateResourceFieldRef(ref, path, false),
  configMapKeyRef: keySelector,
  secretKeyRef: keySelector,
  fileKeyRef: fileKeySelector,
};

function valueFrom(variable: Fields, path: string): readonly FieldError[] {
  const source = variable["valueFrom"];
  if (!isFields(source)) return [];
  const given = Object.entries(sources).filter(([name]) => hasField(source, name));
  const own = given.flatMap(([name, check]) => (isFields(source[name]) ? check(source[name], `${path}.${name}`) : []));
  return [...own, ...countErrors(variable, given.length, path)];
}

function countErrors(variable: Fields, count: number, path: string): readonly FieldError[] {
  if (count === 0)
    return [
      fieldInvalid(path, "", "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"),
    ];
  if (stringField(variable, "value") !== "") return [fieldInvalid(path, "", "may not be specified when `value` is not empty")];
  return count > 1 ? [fieldInvalid(path, "", "may not have more than one field specified at a time")] : [];
}

export function validateEnv(container: Fields, path: string): readonly FieldError[] {
  return checkEach(container, "env", path, (variable, at) => [
    ...checkRequired(variable, "name", at, checkEnvironmentName),
    ...valueFrom(variable, `${at}.valueFrom`),
  ]);
}

export function validateEnvFrom(container: Fields, path: string): readonly FieldError[] {
  return checkEach(container, "envFrom", path, (source, at) => {
    const prefix = stringField(source, "prefix");
    const refs = ["configMapRef", "secretRef"].filter((name) => hasField(source, name));
    const all = `${path}.envFrom`;
    return [
      ...(prefix === "" ? [] : formatErrors(checkEnvironmentName, `${at}.prefix`, prefix)),
      ...refs.flatMap((name) => checkRequired(source[name], "name", `${at}.${name}`, asPrefix(checkDnsSubdomain))),
      ...(refs.length === 0 ? [fieldInvalid(all, "", "must specify one of: `configMapRef` or `secretRef`")] : []),
      ...(refs.length > 1 ? [fieldInvalid(all, "", "may not have more than one field specified at a time")] : []),
    ];
  });
}
