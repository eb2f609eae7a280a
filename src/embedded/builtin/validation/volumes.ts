import { listAt, numberAt, type Fields } from "../../../core/object/index.ts";
import { duplicate, forbidden, invalid, notFound, notSupported, required, type FieldError } from "../../field-error.ts";
import { quantityOf } from "../quantity.ts";
import { claimSpec } from "./claim.ts";
import { each, has, named, optionalOneOf, present, text, within } from "./check.ts";
import { fieldSelector, resourceSelector, volumeFieldPaths } from "./env.ts";
import { dnsLabel } from "./names.ts";
import { descending, noBacksteps, nonReserved } from "./path.ts";

// Models pkg/apis/core/validation/validation.go ValidateVolumes, ValidateVolumeMounts and ValidateVolumeDevices

type Source = (source: Fields, path: string) => readonly FieldError[];

const wrongMode = "must be a number between 0 and 0777 (octal), both inclusive";

function mode(fields: Fields, name: string, path: string): readonly FieldError[] {
  const value = numberAt(fields, name);
  return value !== undefined && (value > 0o777 || value < 0) ? [invalid(`${path}.${name}`, value, wrongMode)] : [];
}

function keyToPath(item: Fields, path: string): readonly FieldError[] {
  return [
    ...present(item, "key", path),
    ...present(item, "path", path),
    ...nonReserved(text(item, "path"), `${path}.path`),
    ...mode(item, "mode", path),
  ];
}

function downwardFile(file: Fields, path: string): readonly FieldError[] {
  const both = has(file, "fieldRef") && has(file, "resourceFieldRef");
  const none = !has(file, "fieldRef") && !has(file, "resourceFieldRef");
  return [
    ...present(file, "path", path),
    ...nonReserved(text(file, "path"), `${path}.path`),
    ...within(file, "fieldRef", path, (ref, at) => fieldSelector(ref, at, volumeFieldPaths)),
    ...(both ? [invalid(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously")] : []),
    ...(has(file, "fieldRef") ? [] : within(file, "resourceFieldRef", path, (ref, at) => resourceSelector(ref, at, true))),
    ...(none ? [required(path, "one of fieldRef and resourceFieldRef is required")] : []),
    ...mode(file, "mode", path),
  ];
}

const projections = ["secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle", "podCertificate"];

/** `taken` are the paths of the sources before, to which this one's are added. */
function projection(source: Fields, path: string, volumePath: string, taken: Set<string>): readonly FieldError[] {
  const conflict = (target: string, owner: string): readonly FieldError[] => {
    const twice = target !== "" && taken.has(target);
    taken.add(target);
    return twice ? [invalid(volumePath, owner, "conflicting duplicate paths")] : [];
  };
  const keyed = ["secret", "configMap"].flatMap((name) =>
    within(source, name, path, (fields, at) => [
      ...present(fields, "name", at),
      ...each(fields, "items", at, (item, where) => [...keyToPath(item, where), ...conflict(text(item, "path"), text(fields, "name"))]),
    ]),
  );
  const several = projections.filter((name) => has(source, name)).length > 1;
  return [
    ...keyed,
    ...within(source, "downwardAPI", path, (fields, at) =>
      listAt(fields, "items").flatMap((file) => [...downwardFile(file, at), ...conflict(text(file, "path"), text(file, "path"))]),
    ),
    ...within(source, "serviceAccountToken", path, (fields, at) => [
      ...token(fields, at, volumePath),
      ...conflict(text(fields, "path"), text(fields, "path")),
    ]),
    ...(several ? [forbidden(path, "may not specify more than 1 volume type per source")] : []),
  ];
}

function token(fields: Fields, at: string, volumePath: string): readonly FieldError[] {
  const seconds = numberAt(fields, "expirationSeconds", 0);
  const target = text(fields, "path");
  return [
    ...(seconds < 600 ? [invalid(`${at}.expirationSeconds`, seconds, "may not specify a duration less than 10 minutes")] : []),
    ...(seconds > 2 ** 32 ? [invalid(`${at}.expirationSeconds`, seconds, "may not specify a duration larger than 2^32 seconds")] : []),
    ...(target === "" ? [required(`${volumePath}.path`)] : nonReserved(target, `${volumePath}.path`)),
  ];
}

function projected(source: Fields, path: string): readonly FieldError[] {
  const taken = new Set<string>();
  return [...mode(source, "defaultMode", path), ...each(source, "sources", path, (item, at) => projection(item, at, path, taken))];
}

const hostPathTypes = ["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];

/** In the order in which the server looks at them; a source without rules here is only counted. */
const sources: readonly (readonly [string, Source])[] = [
  ["emptyDir", emptyDir],
  [
    "hostPath",
    (source, path) =>
      text(source, "path") === ""
        ? [required(`${path}.path`)]
        : [...noBacksteps(text(source, "path"), `${path}.path`), ...optionalOneOf(source, "type", path, hostPathTypes)],
  ],
  ["gitRepo", (source, path) => present(source, "repository", path)],
  ["gcePersistentDisk", () => []],
  ["awsElasticBlockStore", () => []],
  [
    "secret",
    (source, path) => [
      ...present(source, "secretName", path),
      ...mode(source, "defaultMode", path),
      ...each(source, "items", path, keyToPath),
    ],
  ],
  ["nfs", nfs],
  ["iscsi", () => []],
  ["glusterfs", () => []],
  ["flocker", () => []],
  ["persistentVolumeClaim", (source, path) => present(source, "claimName", path)],
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
    (source, path) => [...present(source, "name", path), ...mode(source, "defaultMode", path), ...each(source, "items", path, keyToPath)],
  ],
  ["azureFile", () => []],
  ["vsphereVolume", () => []],
  ["photonPersistentDisk", () => []],
  ["portworxVolume", () => []],
  ["azureDisk", () => []],
  ["storageos", () => []],
  ["projected", projected],
  ["scaleIO", () => []],
  ["csi", (source, path) => present(source, "driver", path)],
  ["ephemeral", ephemeral],
  ["image", (source, path) => present(source, "reference", path)],
];

function emptyDir(source: Fields, path: string): readonly FieldError[] {
  const small = has(source, "sizeLimit") && quantityOf(source["sizeLimit"]).nano < 0n;
  return small ? [forbidden(`${path}.sizeLimit`, "SizeLimit field must be a valid resource quantity")] : [];
}

function nfs(source: Fields, path: string): readonly FieldError[] {
  const target = text(source, "path");
  const relative = target.startsWith("/") ? [] : [invalid(`${path}.path`, target, "must be an absolute path")];
  return [...present(source, "server", path), ...present(source, "path", path), ...relative];
}

function ephemeral(source: Fields, path: string): readonly FieldError[] {
  if (!has(source, "volumeClaimTemplate")) return [required(`${path}.volumeClaimTemplate`)];
  return within(source, "volumeClaimTemplate", path, (template, at) => within(template, "spec", at, claimSpec));
}

function volume(fields: Fields, path: string): readonly FieldError[] {
  const given = sources.filter(([name]) => has(fields, name));
  if (given.length === 0) return [required(path, "must specify a volume type")];
  return given.flatMap(([name, check], index) =>
    index === 0 ? within(fields, name, path, check) : [forbidden(`${path}.${name}`, "may not specify more than 1 volume type")],
  );
}

export type Volumes = { readonly errors: readonly FieldError[]; readonly byName: ReadonlyMap<string, Fields> };

/** Only a volume without a fault can be mounted. */
export function volumes(spec: Fields, path: string): Volumes {
  const byName = new Map<string, Fields>();
  const errors = each(spec, "volumes", path, (fields, at) => {
    const name = text(fields, "name");
    const twice = byName.has(name) ? [duplicate(`${at}.name`, name)] : [];
    const own = [...volume(fields, at), ...named(fields, "name", at, dnsLabel), ...twice];
    if (own.length === 0) byName.set(name, fields);
    return own;
  });
  return { errors, byName };
}

const propagations = ["Bidirectional", "HostToContainer", "None"];

export function volumeMounts(container: Fields, path: string, known: ReadonlyMap<string, Fields>): readonly FieldError[] {
  const all = `${path}.volumeMounts`;
  const devices = listAt(container, "volumeDevices");
  const seen = new Set<string>();
  return each(container, "volumeMounts", path, (mount, at) => {
    const [name, target] = [text(mount, "name"), text(mount, "mountPath")];
    const twice = seen.has(target);
    seen.add(target);
    const both = has(mount, "subPathExpr") && has(mount, "subPath");
    const propagation = text(mount, "mountPropagation");
    return [
      ...present(mount, "name", at),
      ...(known.has(name) ? [] : [notFound(`${at}.name`, name)]),
      ...present(mount, "mountPath", at),
      ...(twice ? [invalid(`${at}.mountPath`, target, "must be unique")] : []),
      ...(devices.some((device) => text(device, "name") === name)
        ? [invalid(`${at}.name`, name, "must not already exist in volumeDevices")]
        : []),
      ...(devices.some((device) => text(device, "devicePath") === target)
        ? [invalid(`${at}.mountPath`, target, "must not already exist as a path in volumeDevices")]
        : []),
      ...descending(text(mount, "subPath"), `${all}.subPath`),
      ...(both ? [invalid(`${at}.subPathExpr`, text(mount, "subPathExpr"), "subPathExpr and subPath are mutually exclusive")] : []),
      ...descending(text(mount, "subPathExpr"), `${all}.subPathExpr`),
      ...optionalOneOf(mount, "mountPropagation", all, propagations),
      ...(propagation === "Bidirectional" && !isPrivileged(container)
        ? [forbidden(`${all}.mountPropagation`, "Bidirectional mount propagation is available only to privileged containers")]
        : []),
      ...recursion(mount, `${all}.recursiveReadOnly`),
    ];
  });
}

/** Models validateMountRecursiveReadOnly */
function recursion(mount: Fields, path: string): readonly FieldError[] {
  const value = text(mount, "recursiveReadOnly");
  if (value === "" || value === "Disabled") return [];
  if (value !== "Enabled" && value !== "IfPossible") return [notSupported(path, value, ["Disabled", "Enabled", "IfPossible"])];
  const [writable, spreads] = [mount["readOnly"] !== true, !["", "None"].includes(text(mount, "mountPropagation"))];
  return [
    ...(writable ? [forbidden(path, "may only be specified when readOnly is true")] : []),
    ...(spreads ? [forbidden(path, "may only be specified when mountPropagation is None or not specified")] : []),
  ];
}

function isPrivileged(container: Fields): boolean {
  const context = container["securityContext"];
  return has(context, "privileged") && (context as Fields)["privileged"] === true;
}

export function volumeDevices(container: Fields, path: string, known: ReadonlyMap<string, Fields>): readonly FieldError[] {
  const names = new Set<string>();
  const paths = new Set<string>();
  const mounts = listAt(container, "volumeMounts");
  return each(container, "volumeDevices", path, (device, at) => {
    const [name, target] = [text(device, "name"), text(device, "devicePath")];
    const source = known.get(name);
    const isBlock = has(source, "persistentVolumeClaim") || has(source, "ephemeral");
    const errors = [
      ...present(device, "name", at),
      ...(names.has(name) ? [invalid(`${at}.name`, name, "must be unique")] : []),
      ...(source && !isBlock
        ? [invalid(`${at}.name`, name, "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode")]
        : []),
      ...(source ? [] : [notFound(`${at}.name`, name)]),
      ...present(device, "devicePath", at),
      ...(paths.has(target) ? [invalid(`${at}.devicePath`, target, "must be unique")] : []),
      ...(target.split("/").includes("..") ? [invalid(`${at}.devicePath`, target, "can not contain backsteps ('..')")] : []),
      ...(mounts.some((mount) => text(mount, "name") === name)
        ? [invalid(`${at}.name`, name, "must not already exist in volumeMounts")]
        : []),
      ...(mounts.some((mount) => text(mount, "mountPath") === target)
        ? [invalid(`${at}.devicePath`, target, "must not already exist as a path in volumeMounts")]
        : []),
    ];
    names.add(name);
    paths.add(target);
    return errors;
  });
}
