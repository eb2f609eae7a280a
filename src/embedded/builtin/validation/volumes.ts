import { listAt, numberAt, type Fields } from "../../../core/object/index.ts";
import {
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotFound,
  fieldNotSupported,
  fieldRequired,
  type FieldError,
} from "../../field-error.ts";
import { quantityOf } from "../quantity.ts";
import { validatePersistentVolumeClaimSpec } from "./persistent-volume-claim.ts";
import { checkEach, hasField, checkRequired, checkOptionalOneOf, checkPresent, stringField, checkNestedObject } from "./field-checks.ts";
import { validateFieldRef, validateResourceFieldRef, volumeFieldPaths } from "./env.ts";
import { checkDnsLabel } from "./name-formats.ts";
import { validateDescendingPath, validatePathNoBacksteps, validateNonReservedPath } from "./volume-path.ts";

// Models pkg/apis/core/validation/validation.go ValidateVolumes, ValidateVolumeMounts and ValidateVolumeDevices

type Source = (source: Fields, path: string) => readonly FieldError[];

const wrongMode = "must be a number between 0 and 0777 (octal), both inclusive";

function mode(fields: Fields, name: string, path: string): readonly FieldError[] {
  const value = numberAt(fields, name);
  return value !== undefined && (value > 0o777 || value < 0) ? [fieldInvalid(`${path}.${name}`, value, wrongMode)] : [];
}

function keyToPath(item: Fields, path: string): readonly FieldError[] {
  return [
    ...checkPresent(item, "key", path),
    ...checkPresent(item, "path", path),
    ...validateNonReservedPath(stringField(item, "path"), `${path}.path`),
    ...mode(item, "mode", path),
  ];
}

function downwardFile(file: Fields, path: string): readonly FieldError[] {
  const both = hasField(file, "fieldRef") && hasField(file, "resourceFieldRef");
  const none = !hasField(file, "fieldRef") && !hasField(file, "resourceFieldRef");
  return [
    ...checkPresent(file, "path", path),
    ...validateNonReservedPath(stringField(file, "path"), `${path}.path`),
    ...checkNestedObject(file, "fieldRef", path, (ref, at) => validateFieldRef(ref, at, volumeFieldPaths)),
    ...(both ? [fieldInvalid(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously")] : []),
    ...(hasField(file, "fieldRef")
      ? []
      : checkNestedObject(file, "resourceFieldRef", path, (ref, at) => validateResourceFieldRef(ref, at, true))),
    ...(none ? [fieldRequired(path, "one of fieldRef and resourceFieldRef is required")] : []),
    ...mode(file, "mode", path),
  ];
}

const projections = ["secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle", "podCertificate"];

/** `taken` are the paths of earlier sources; those of this one are added. */
function projection(source: Fields, path: string, volumePath: string, taken: Set<string>): readonly FieldError[] {
  const conflict = (target: string, owner: string): readonly FieldError[] => {
    const twice = target !== "" && taken.has(target);
    taken.add(target);
    return twice ? [fieldInvalid(volumePath, owner, "conflicting duplicate paths")] : [];
  };
  const keyed = ["secret", "configMap"].flatMap((name) =>
    checkNestedObject(source, name, path, (fields, at) => [
      ...checkPresent(fields, "name", at),
      ...checkEach(fields, "items", at, (item, where) => [
        ...keyToPath(item, where),
        ...conflict(stringField(item, "path"), stringField(fields, "name")),
      ]),
    ]),
  );
  const several = projections.filter((name) => hasField(source, name)).length > 1;
  return [
    ...keyed,
    ...checkNestedObject(source, "downwardAPI", path, (fields, at) =>
      listAt(fields, "items").flatMap((file) => [
        ...downwardFile(file, at),
        ...conflict(stringField(file, "path"), stringField(file, "path")),
      ]),
    ),
    ...checkNestedObject(source, "serviceAccountToken", path, (fields, at) => [
      ...token(fields, at, volumePath),
      ...conflict(stringField(fields, "path"), stringField(fields, "path")),
    ]),
    ...(several ? [fieldForbidden(path, "may not specify more than 1 volume type per source")] : []),
  ];
}

function token(fields: Fields, at: string, volumePath: string): readonly FieldError[] {
  const seconds = numberAt(fields, "expirationSeconds", 0);
  const target = stringField(fields, "path");
  return [
    ...(seconds < 600 ? [fieldInvalid(`${at}.expirationSeconds`, seconds, "may not specify a duration less than 10 minutes")] : []),
    ...(seconds > 2 ** 32 ? [fieldInvalid(`${at}.expirationSeconds`, seconds, "may not specify a duration larger than 2^32 seconds")] : []),
    ...(target === "" ? [fieldRequired(`${volumePath}.path`)] : validateNonReservedPath(target, `${volumePath}.path`)),
  ];
}

function projected(source: Fields, path: string): readonly FieldError[] {
  const taken = new Set<string>();
  return [...mode(source, "defaultMode", path), ...checkEach(source, "sources", path, (item, at) => projection(item, at, path, taken))];
}

const hostPathTypes = ["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];

/** In the order in which the server validates them; a source without rules here is only counted. */
const sources: readonly (readonly [string, Source])[] = [
  ["emptyDir", emptyDir],
  [
    "hostPath",
    (source, path) =>
      stringField(source, "path") === ""
        ? [fieldRequired(`${path}.path`)]
        : [
            ...validatePathNoBacksteps(stringField(source, "path"), `${path}.path`),
            ...checkOptionalOneOf(source, "type", path, hostPathTypes),
          ],
  ],
  ["gitRepo", (source, path) => checkPresent(source, "repository", path)],
  ["gcePersistentDisk", () => []],
  ["awsElasticBlockStore", () => []],
  [
    "secret",
    (source, path) => [
      ...checkPresent(source, "secretName", path),
      ...mode(source, "defaultMode", path),
      ...checkEach(source, "items", path, keyToPath),
    ],
  ],
  ["nfs", nfs],
  ["iscsi", () => []],
  ["glusterfs", () => []],
  ["flocker", () => []],
  ["persistentVolumeClaim", (source, path) => checkPresent(source, "claimName", path)],
  ["rbd", () => []],
  ["cinder", () => []],
  ["cephfs", () => []],
  ["quobyte", () => []],
  [
    "downwardAPI",
    (source, path) => [...mode(source, "defaultMode", path), ...listAt(source, "items").flatMap((file) => downwardFile(file, path))],
  ],
  ["fc", () => []],
  ["flexVolume", () => []],
  [
    "configMap",
    (source, path) => [
      ...checkPresent(source, "name", path),
      ...mode(source, "defaultMode", path),
      ...checkEach(source, "items", path, keyToPath),
    ],
  ],
  ["azureFile", () => []],
  ["vsphereVolume", () => []],
  ["photonPersistentDisk", () => []],
  ["portworxVolume", () => []],
  ["azureDisk", () => []],
  ["storageos", () => []],
  ["projected", projected],
  ["scaleIO", () => []],
  ["csi", (source, path) => checkPresent(source, "driver", path)],
  ["ephemeral", ephemeral],
  ["image", (source, path) => checkPresent(source, "reference", path)],
];

function emptyDir(source: Fields, path: string): readonly FieldError[] {
  const small = hasField(source, "sizeLimit") && quantityOf(source["sizeLimit"]).nano < 0n;
  return small ? [fieldForbidden(`${path}.sizeLimit`, "SizeLimit field must be a valid resource quantity")] : [];
}

function nfs(source: Fields, path: string): readonly FieldError[] {
  const target = stringField(source, "path");
  const relative = target.startsWith("/") ? [] : [fieldInvalid(`${path}.path`, target, "must be an absolute path")];
  return [...checkPresent(source, "server", path), ...checkPresent(source, "path", path), ...relative];
}

function ephemeral(source: Fields, path: string): readonly FieldError[] {
  if (!hasField(source, "volumeClaimTemplate")) return [fieldRequired(`${path}.volumeClaimTemplate`)];
  return checkNestedObject(source, "volumeClaimTemplate", path, (template, at) =>
    checkNestedObject(template, "spec", at, validatePersistentVolumeClaimSpec),
  );
}

function volume(fields: Fields, path: string): readonly FieldError[] {
  const given = sources.filter(([name]) => hasField(fields, name));
  if (given.length === 0) return [fieldRequired(path, "must specify a volume type")];
  return given.flatMap(([name, check], index) =>
    index === 0
      ? checkNestedObject(fields, name, path, check)
      : [fieldForbidden(`${path}.${name}`, "may not specify more than 1 volume type")],
  );
}

type ValidatedVolumes = { readonly errors: readonly FieldError[]; readonly byName: ReadonlyMap<string, Fields> };

/** Only valid volumes can be mounted. */
export function validateVolumes(spec: Fields, path: string): ValidatedVolumes {
  const byName = new Map<string, Fields>();
  const errors = checkEach(spec, "volumes", path, (fields, at) => {
    const name = stringField(fields, "name");
    const twice = byName.has(name) ? [fieldDuplicate(`${at}.name`, name)] : [];
    const own = [...volume(fields, at), ...checkRequired(fields, "name", at, checkDnsLabel), ...twice];
    if (own.length === 0) byName.set(name, fields);
    return own;
  });
  return { errors, byName };
}

const propagations = ["Bidirectional", "HostToContainer", "None"];

export function validateVolumeMounts(container: Fields, path: string, known: ReadonlyMap<string, Fields>): readonly FieldError[] {
  const all = `${path}.volumeMounts`;
  const devices = listAt(container, "volumeDevices");
  const seen = new Set<string>();
  return checkEach(container, "volumeMounts", path, (mount, at) => {
    const [name, target] = [stringField(mount, "name"), stringField(mount, "mountPath")];
    const twice = seen.has(target);
    seen.add(target);
    const both = hasField(mount, "subPathExpr") && hasField(mount, "subPath");
    const propagation = stringField(mount, "mountPropagation");
    return [
      ...checkPresent(mount, "name", at),
      ...(known.has(name) ? [] : [fieldNotFound(`${at}.name`, name)]),
      ...checkPresent(mount, "mountPath", at),
      ...(twice ? [fieldInvalid(`${at}.mountPath`, target, "must be unique")] : []),
      ...(devices.some((device) => stringField(device, "name") === name)
        ? [fieldInvalid(`${at}.name`, name, "must not already exist in volumeDevices")]
        : []),
      ...(devices.some((device) => stringField(device, "devicePath") === target)
        ? [fieldInvalid(`${at}.mountPath`, target, "must not already exist as a path in volumeDevices")]
        : []),
      ...validateDescendingPath(stringField(mount, "subPath"), `${all}.subPath`),
      ...(both
        ? [fieldInvalid(`${at}.subPathExpr`, stringField(mount, "subPathExpr"), "subPathExpr and subPath are mutually exclusive")]
        : []),
      ...validateDescendingPath(stringField(mount, "subPathExpr"), `${all}.subPathExpr`),
      ...checkOptionalOneOf(mount, "mountPropagation", all, propagations),
      ...(propagation === "Bidirectional" && !isPrivileged(container)
        ? [fieldForbidden(`${all}.mountPropagation`, "Bidirectional mount propagation is available only to privileged containers")]
        : []),
      ...recursion(mount, `${all}.recursiveReadOnly`),
    ];
  });
}

/** Models validateMountRecursiveReadOnly */
function recursion(mount: Fields, path: string): readonly FieldError[] {
  const value = stringField(mount, "recursiveReadOnly");
  if (value === "" || value === "Disabled") return [];
  if (value !== "Enabled" && value !== "IfPossible") return [fieldNotSupported(path, value, ["Disabled", "Enabled", "IfPossible"])];
  const [writable, spreads] = [mount["readOnly"] !== true, !["", "None"].includes(stringField(mount, "mountPropagation"))];
  return [
    ...(writable ? [fieldForbidden(path, "may only be specified when readOnly is true")] : []),
    ...(spreads ? [fieldForbidden(path, "may only be specified when mountPropagation is None or not specified")] : []),
  ];
}

function isPrivileged(container: Fields): boolean {
  const context = container["securityContext"];
  return hasField(context, "privileged") && (context as Fields)["privileged"] === true;
}

export function validateVolumeDevices(container: Fields, path: string, known: ReadonlyMap<string, Fields>): readonly FieldError[] {
  const names = new Set<string>();
  const paths = new Set<string>();
  const mounts = listAt(container, "volumeMounts");
  return checkEach(container, "volumeDevices", path, (device, at) => {
    const [name, target] = [stringField(device, "name"), stringField(device, "devicePath")];
    const source = known.get(name);
    const isBlock = hasField(source, "persistentVolumeClaim") || hasField(source, "ephemeral");
    const errors = [
      ...checkPresent(device, "name", at),
      ...(names.has(name) ? [fieldInvalid(`${at}.name`, name, "must be unique")] : []),
      ...(source && !isBlock
        ? [fieldInvalid(`${at}.name`, name, "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode")]
        : []),
      ...(source ? [] : [fieldNotFound(`${at}.name`, name)]),
      ...checkPresent(device, "devicePath", at),
      ...(paths.has(target) ? [fieldInvalid(`${at}.devicePath`, target, "must be unique")] : []),
      ...(target.split("/").includes("..") ? [fieldInvalid(`${at}.devicePath`, target, "can not contain backsteps ('..')")] : []),
      ...(mounts.some((mount) => stringField(mount, "name") === name)
        ? [fieldInvalid(`${at}.name`, name, "must not already exist in volumeMounts")]
        : []),
      ...(mounts.some((mount) => stringField(mount, "mountPath") === target)
        ? [fieldInvalid(`${at}.devicePath`, target, "must not already exist as a path in volumeMounts")]
        : []),
    ];
    names.add(name);
    paths.add(target);
    return errors;
  });
}
