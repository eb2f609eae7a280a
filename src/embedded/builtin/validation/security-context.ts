import { booleanAt, listAt, numberAt, stringAt, stringsAt, valueAt, type Fields } from "../../../core/object/index.ts";
import {
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  type FieldError,
} from "../../field-error.ts";
import { checkEach, hasField, checkInRange, checkOptionalOneOf, stringField, checkNestedObject } from "./field-checks.ts";
import { asGo } from "./go-value.ts";
import { validateDescendingPath } from "./volume-path.ts";

// Models pkg/apis/core/validation/validation.go ValidateSecurityContext, validatePodSpecSecurityContext, validateHostUsers, validateLinux and validateWindows

const largestId = 2 ** 31 - 1;
const profileTypes = ["Localhost", "RuntimeDefault", "Unconfined"];

function ids(context: Fields, path: string, names: readonly string[]): readonly FieldError[] {
  return names.flatMap((name) => {
    const value = numberAt(context, name);
    return value === undefined ? [] : checkInRange(value, `${path}.${name}`, 0, largestId);
  });
}

function profileType(profile: Fields, path: string, field: string): readonly FieldError[] {
  const type = stringField(profile, "type");
  if (type === "") return [fieldRequired(`${path}.type`, `type is required when ${field} is set`)];
  return profileTypes.includes(type) ? [] : [fieldNotSupported(`${path}.type`, type, profileTypes)];
}

function seccomp(profile: Fields, path: string): readonly FieldError[] {
  const at = `${path}.localhostProfile`;
  const errors = profileType(profile, path, "seccompProfile");
  if (profile["type"] !== "Localhost") {
    const shown = asGo(profile, "core.SeccompProfile");
    return hasField(profile, "localhostProfile")
      ? [...errors, fieldInvalid(at, shown, "can only be set when seccomp type is Localhost")]
      : errors;
  }
  if (!hasField(profile, "localhostProfile")) return [...errors, fieldRequired(at, "must be set when seccomp type is Localhost")];
  return [...errors, ...validateDescendingPath(stringField(profile, "localhostProfile"), at)];
}

const longestPath = 4095;

export function validateAppArmorProfile(profile: Fields, path: string): readonly FieldError[] {
  const at = `${path}.localhostProfile`;
  const file = stringAt(profile, "localhostProfile");
  const type = stringField(profile, "type");
  if (type === "RuntimeDefault" || type === "Unconfined") {
    return file === undefined ? [] : [fieldInvalid(at, file, "can only be set when AppArmor type is Localhost")];
  }
  if (type !== "Localhost") return profileType(profile, path, "appArmorProfile");
  if (file === undefined || file === "") return [fieldRequired(at, "must be set when AppArmor type is Localhost")];
  return [
    ...(file.trim() === file ? [] : [fieldInvalid(at, file, "must not be padded with whitespace")]),
    ...(file.length > longestPath ? [fieldTooLong(at, longestPath)] : []),
  ];
}

export function validateContainerSecurityContext(context: Fields, path: string, hostUsers: boolean): readonly FieldError[] {
  const mount = stringAt(context, "procMount");
  const shown = (): unknown => asGo(context, "core.SecurityContext");
  const confined = context["allowPrivilegeEscalation"] === false;
  const admin = confined ? stringsAt(context, "capabilities.add").filter((name) => name === "CAP_SYS_ADMIN") : [];
  return [
    ...ids(context, path, ["runAsUser", "runAsGroup"]),
    ...checkOptionalOneOf(context, "procMount", path, ["Default", "Unmasked"]),
    ...(hostUsers && mount === "Unmasked" ? [fieldInvalid(`${path}.procMount`, mount, "`hostUsers` must be false to use `Unmasked`")] : []),
    ...checkNestedObject(context, "seccompProfile", path, seccomp),
    ...(confined && context["privileged"] === true
      ? [fieldInvalid(path, shown(), "cannot set `allowPrivilegeEscalation` to false and `privileged` to true")]
      : []),
    ...admin.map(() => fieldInvalid(path, shown(), "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN")),
    ...checkNestedObject(context, "appArmorProfile", path, validateAppArmorProfile),
  ];
}

const sysctlPattern = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
const isSysctl = new RegExp(sysctlPattern);
const longestSysctl = 253;

function sysctls(context: Fields, path: string): readonly FieldError[] {
  const seen = new Set<string>();
  return checkEach(context, "sysctls", path, (sysctl, item) => {
    const name = stringField(sysctl, "name");
    const at = `${item}.name`;
    const twice = seen.has(name);
    seen.add(name);
    if (name === "") return [fieldRequired(at)];
    const fits = name.length <= longestSysctl && isSysctl.test(name);
    if (!fits) return [fieldInvalid(at, name, `must have at most ${longestSysctl} characters and match regex ${sysctlPattern}`)];
    return twice ? [fieldDuplicate(at, name)] : [];
  });
}

function groups(context: Fields, path: string): readonly FieldError[] {
  const found = valueAt(context, "supplementalGroups");
  const list: readonly unknown[] = Array.isArray(found) ? found : [];
  return list.flatMap((group, index) => checkInRange(Number(group), `${path}.supplementalGroups[${index}]`, 0, largestId));
}

export function validatePodSecurityContext(spec: Fields, path: string): readonly FieldError[] {
  const at = `${path}.securityContext`;
  const shared = booleanAt(spec, "shareProcessNamespace") && booleanAt(spec, "hostPID");
  const context = checkNestedObject(spec, "securityContext", path, (fields) => [
    ...ids(fields, at, ["fsGroup", "runAsUser", "runAsGroup"]),
    ...groups(fields, at),
  ]);
  return [
    ...context,
    ...(shared ? [fieldInvalid(`${at}.shareProcessNamespace`, true, "ShareProcessNamespace and HostPID cannot both be enabled")] : []),
    ...checkNestedObject(spec, "securityContext", path, (fields) => [
      ...sysctls(fields, at),
      ...checkOptionalOneOf(fields, "fsGroupChangePolicy", at, ["Always", "OnRootMismatch"]),
      ...checkNestedObject(fields, "seccompProfile", at, seccomp),
      ...checkNestedObject(fields, "appArmorProfile", at, validateAppArmorProfile),
      ...checkOptionalOneOf(fields, "supplementalGroupsPolicy", at, ["Merge", "Strict"]),
      ...checkOptionalOneOf(fields, "seLinuxChangePolicy", at, ["MountOption", "Recursive"]),
    ]),
  ];
}

const printed = (name: string): string => (name === "hostNetwork" ? name : name.replace("host", "Host"));

/** A Pod with its own user namespace shares no other namespace with its node. The server spells two of the fields as in Go. */
export function validateHostUsers(spec: Fields, path: string): readonly FieldError[] {
  if (spec["hostUsers"] !== false) return [];
  const shared = ["hostNetwork", "hostPID", "hostIPC"].filter((name) => booleanAt(spec, name));
  const devices = ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    checkEach(spec, list, path, (container, at) =>
      listAt(container, "volumeDevices").length > 0 ? [fieldForbidden(`${at}.volumeDevices`, whenOwn)] : [],
    ),
  );
  return [...shared.map((name) => fieldForbidden(`${path}.${printed(name)}`, whenOwn)), ...devices];
}

const whenOwn = "when `hostUsers` is false";

const notOnWindows = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "fsGroup",
  "fsGroupChangePolicy",
  "sysctls",
  "runAsUser",
  "runAsGroup",
  "supplementalGroups",
  "supplementalGroupsPolicy",
];

/** Fields that are not supported by the operating system of the Pod. */
export function validateOperatingSystem(spec: Fields, path: string): readonly FieldError[] {
  if (!hasField(spec, "os")) return [];
  const name = stringAt(spec, "os.name", "");
  if (name === "") return [fieldRequired(`${path}.os.name`)];
  if (name === "linux") return windowsOptions(spec, path);
  if (name !== "windows") return [fieldNotSupported(`${path}.os`, name, ["linux", "windows"])];
  return checkNestedObject(spec, "securityContext", path, (context, at) =>
    notOnWindows
      .filter((field) => hasField(context, field))
      .map((field) => fieldForbidden(`${at}.${field}`, "cannot be set for a windows pod")),
  );
}

function forbidWindowsOptions(fields: Fields, at: string): readonly FieldError[] {
  return hasField(fields, "windowsOptions")
    ? [fieldForbidden(`${at}.windowsOptions`, "windows options cannot be set for a linux pod")]
    : [];
}

function windowsOptions(spec: Fields, path: string): readonly FieldError[] {
  return [
    ...checkNestedObject(spec, "securityContext", path, forbidWindowsOptions),
    ...["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
      checkEach(spec, list, path, (container, at) => checkNestedObject(container, "securityContext", at, forbidWindowsOptions)),
    ),
  ];
}
