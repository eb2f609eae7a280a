import { isFields, type Fields } from "../../../core/object/index.ts";
import { invalid, notSupported, required, type FieldError } from "../../field-error.ts";
import { parseQuantity, printQuantity } from "../quantity.ts";
import { each, has, named, present, text } from "./check.ts";
import { checked } from "./meta.ts";
import { asPrefix, configKey, dnsLabel, dnsSubdomain, environmentName, qualifiedName } from "./names.ts";
import { noBacksteps } from "./path.ts";

// Models pkg/apis/core/validation/validation.go ValidateEnv, ValidateEnvFrom and what they call

export const envFieldPaths = [
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
/** What the downward API can speak of at all. Models pkg/apis/core/pods/helpers.go ConvertDownwardAPIFieldLabel */
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

export function fieldSelector(ref: Fields, path: string, supported: readonly string[]): readonly FieldError[] {
  if (text(ref, "apiVersion") === "") return [required(`${path}.apiVersion`)];
  const fieldPath = text(ref, "fieldPath");
  if (fieldPath === "") return [required(`${path}.fieldPath`)];
  const subscripted = /^(.*)\['(.*)'\]$/.exec(fieldPath);
  if (subscripted) return subscript(subscripted[1] ?? "", subscripted[2] ?? "", path);
  if (!convertible.has(fieldPath))
    return [invalid(`${path}.fieldPath`, fieldPath, `error converting fieldPath: field label not supported: ${fieldPath}`)];
  return supported.includes(fieldPath) ? [] : [notSupported(`${path}.fieldPath`, fieldPath, supported)];
}

function subscript(base: string, key: string, path: string): readonly FieldError[] {
  if (base === "metadata.annotations") return checked(qualifiedName, path, key.toLowerCase());
  if (base === "metadata.labels") return checked(qualifiedName, path, key);
  if (convertible.has(base)) return [invalid(path, base, "does not support subscript")];
  return [invalid(`${path}.fieldPath`, `${base}['${key}']`, `error converting fieldPath: field label not supported: ${base}['${key}']`)];
}

const isHugePages = (resource: string): boolean => /^(?:requests|limits)\.hugepages-/.test(resource);

export function resourceSelector(ref: Fields, path: string, inVolume: boolean): readonly FieldError[] {
  const resource = text(ref, "resource");
  return [...resourceErrors(ref, resource, path, inVolume), ...divisorErrors(ref, resource, path)];
}

function resourceErrors(ref: Fields, resource: string, path: string, inVolume: boolean): readonly FieldError[] {
  if (inVolume && text(ref, "containerName") === "") return [required(`${path}.containerName`)];
  if (resource === "") return [required(`${path}.resource`)];
  return resources.includes(resource) || isHugePages(resource) ? [] : [notSupported(`${path}.resource`, resource, resources)];
}

function divisorErrors(ref: Fields, resource: string, path: string): readonly FieldError[] {
  const quantity = parseQuantity(ref["divisor"] ?? "0");
  if (typeof quantity === "string" || quantity.nano === 0n) return [];
  const divisor = printQuantity(quantity);
  const wrong = (detail: string): readonly FieldError[] => [invalid(`${path}.divisor`, resource, `only divisor's values ${detail}`)];
  if (resource.endsWith(".cpu")) return ["1m", "1"].includes(divisor) ? [] : wrong("1m and 1 are supported with the cpu resource");
  if (sizes.includes(divisor)) return [];
  const noun = resource.endsWith(".memory") ? "memory" : resource.endsWith(".ephemeral-storage") ? "local ephemeral storage" : "hugepages";
  return resources.includes(resource) || isHugePages(resource) ? wrong(`${sizes.join(", ")} are supported with the ${noun} resource`) : [];
}

function keySelector(ref: Fields, path: string): readonly FieldError[] {
  return [...checked(dnsSubdomain, `${path}.name`, text(ref, "name")), ...named(ref, "key", path, configKey)];
}

function fileKeySelector(ref: Fields, path: string): readonly FieldError[] {
  const file = text(ref, "path");
  return [
    ...named(ref, "key", path, environmentName),
    ...named(ref, "volumeName", path, dnsLabel),
    ...present(ref, "path", path),
    ...noBacksteps(file, `${path}.path`),
  ];
}

const sources: Readonly<Record<string, (ref: Fields, path: string) => readonly FieldError[]>> = {
  fieldRef: (ref, path) => fieldSelector(ref, path, envFieldPaths),
  resourceFieldRef: (ref, path) => resourceSelector(ref, path, false),
  configMapKeyRef: keySelector,
  secretKeyRef: keySelector,
  fileKeyRef: fileKeySelector,
};

function valueFrom(variable: Fields, path: string): readonly FieldError[] {
  const source = variable["valueFrom"];
  if (!isFields(source)) return [];
  const given = Object.entries(sources).filter(([name]) => has(source, name));
  const own = given.flatMap(([name, check]) => (isFields(source[name]) ? check(source[name], `${path}.${name}`) : []));
  return [...own, ...countErrors(variable, given.length, path)];
}

function countErrors(variable: Fields, count: number, path: string): readonly FieldError[] {
  if (count === 0)
    return [invalid(path, "", "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`")];
  if (text(variable, "value") !== "") return [invalid(path, "", "may not be specified when `value` is not empty")];
  return count > 1 ? [invalid(path, "", "may not have more than one field specified at a time")] : [];
}

export function env(container: Fields, path: string): readonly FieldError[] {
  return each(container, "env", path, (variable, at) => [
    ...named(variable, "name", at, environmentName),
    ...valueFrom(variable, `${at}.valueFrom`),
  ]);
}

export function envFrom(container: Fields, path: string): readonly FieldError[] {
  return each(container, "envFrom", path, (source, at) => {
    const prefix = text(source, "prefix");
    const refs = ["configMapRef", "secretRef"].filter((name) => has(source, name));
    const all = `${path}.envFrom`;
    return [
      ...(prefix === "" ? [] : checked(environmentName, `${at}.prefix`, prefix)),
      ...refs.flatMap((name) => named(source[name], "name", `${at}.${name}`, asPrefix(dnsSubdomain))),
      ...(refs.length === 0 ? [invalid(all, "", "must specify one of: `configMapRef` or `secretRef`")] : []),
      ...(refs.length > 1 ? [invalid(all, "", "may not have more than one field specified at a time")] : []),
    ];
  });
}
