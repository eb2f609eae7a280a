import { stringAt, stringsAt, type Fields } from "../../../core/object/index.ts";
import { fieldDuplicate, fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../../field-error.ts";
import { hasField, stringField } from "./field-checks.ts";
import { ipAddressErrors, isIPv6Address } from "./ip.ts";

// Models pkg/apis/core/validation/validation.go ValidateServiceClusterIPsRelatedFields and the rules on changing
// between single and dual stack

const at = "spec.clusterIPs";
const families = ["IPv4", "IPv6"];
const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];
const fixed = "may not change once set";

const isExternalName = (spec: Fields): boolean => stringField(spec, "type") === "ExternalName";
/** The only address is "None". */
export const isHeadlessSpec = (spec: Fields): boolean =>
  stringsAt(spec, "clusterIPs").length === 1 && stringsAt(spec, "clusterIPs")[0] === "None";

function inStep(spec: Fields, ips: readonly string[]): readonly FieldError[] {
  const ip = stringField(spec, "clusterIP");
  if (ip === "") return ips.length === 0 ? [] : [fieldInvalid(at, ips, "must be empty when `clusterIP` is not specified")];
  if (ips.length === 0) return [fieldRequired(at)];
  return ips[0] === ip ? [] : [fieldInvalid(at, ips, "first value must match `clusterIP`")];
}

function familyErrors(spec: Fields): readonly FieldError[] {
  const seen = new Set<string>();
  const each = stringsAt(spec, "ipFamilies").flatMap((family, index) => {
    const path = `spec.ipFamilies[${index}]`;
    const twice = seen.has(family);
    seen.add(family);
    return [
      ...(families.includes(family) ? [] : [fieldNotSupported(path, family, families)]),
      ...(twice ? [fieldDuplicate(path, family)] : []),
    ];
  });
  const policy = stringAt(spec, "ipFamilyPolicy");
  return policy === undefined || policies.includes(policy) ? each : [...each, fieldNotSupported("spec.ipFamilyPolicy", policy, policies)];
}

function ipErrors(ips: readonly string[], before: readonly string[]): readonly FieldError[] {
  return ips.flatMap((ip, index) => {
    if (index === 0 && ip === "None") return ips.length > 1 ? [fieldInvalid(at, ips, "'None' must be the first and only value")] : [];
    return ipAddressErrors(ip, `${at}[${index}]`, before);
  });
}

export function validateAddressFamilies(spec: Fields, live: Fields): readonly FieldError[] {
  if (isExternalName(spec)) return [];
  const ips = stringsAt(spec, "clusterIPs");
  const wrong = ipErrors(ips, stringsAt(live, "clusterIPs"));
  const errors = [
    ...inStep(spec, ips),
    ...familyErrors(spec),
    ...wrong,
    ...(ips.length > 2 ? [fieldInvalid(at, ips, "may only hold up to 2 values")] : []),
  ];
  if (wrong.length > 0) return errors;
  const both = ips.some(isIPv6Address) && ips.some((ip) => !isIPv6Address(ip));
  return [
    ...errors,
    ...(ips.length > 1 && !both ? [fieldInvalid(at, ips, "may specify no more than one IP for each IP family")] : []),
    ...matching(spec, ips),
  ];
}

function matching(spec: Fields, ips: readonly string[]): readonly FieldError[] {
  if (isHeadlessSpec(spec)) return [];
  const wanted = stringsAt(spec, "ipFamilies");
  return ips.slice(0, wanted.length).flatMap((ip, index) => {
    const family = wanted[index];
    const fits = family === "IPv4" ? !isIPv6Address(ip) : family === "IPv6" ? isIPv6Address(ip) : true;
    return fits ? [] : [fieldInvalid(`${at}[${index}]`, ip, `expected an ${family} value as indicated by \`ipFamilies[${index}]\``)];
  });
}

function released(spec: Fields, count: number, noun: string): readonly FieldError[] {
  if (count !== 1 || spec["ipFamilyPolicy"] === "SingleStack") return [];
  return [fieldInvalid("spec.ipFamilyPolicy", spec["ipFamilyPolicy"], `must be set to 'SingleStack' when releasing the secondary ${noun}`)];
}

/** A Service keeps its first cluster IP, unless it changes to or from ExternalName. */
export function validateClusterIpUpdate(spec: Fields, live: Fields): readonly FieldError[] {
  if (isExternalName(spec) || isExternalName(live) || (isHeadlessSpec(spec) && isHeadlessSpec(live))) return [];
  const ips = stringsAt(spec, "clusterIPs");
  const before = stringsAt(live, "clusterIPs");
  if (before.length === ips.length)
    return before.flatMap((ip, index) => (ip === ips[index] ? [] : [fieldInvalid(`${at}[${index}]`, ips, fixed)]));
  const moved = before.length > 0 && ips.length > 0 && ips[0] !== before[0] ? [fieldInvalid(`${at}[0]`, ips, fixed)] : [];
  if (before.length < ips.length) return moved;
  const unset = ips.length === 0 ? [fieldInvalid(`${at}[0]`, given(spec, "clusterIPs"), "primary clusterIP can not be unset")] : [];
  return [...unset, ...moved, ...released(spec, ips.length, "clusterIP")];
}

export function validateIpFamilyUpdate(spec: Fields, live: Fields): readonly FieldError[] {
  if (isExternalName(spec) || isExternalName(live) || isHeadlessSpec(spec) || isHeadlessSpec(live)) return [];
  const path = "spec.ipFamilies[0]";
  const wanted = stringsAt(spec, "ipFamilies");
  const before = stringsAt(live, "ipFamilies");
  if (before.length === wanted.length)
    return before.flatMap((family, index) => (family === wanted[index] ? [] : [fieldInvalid(path, wanted, fixed)]));
  const changed =
    wanted.length > 0 && before.length > 0 && wanted[0] !== before[0] ? [fieldInvalid(path, given(spec, "clusterIPs"), fixed)] : [];
  if (before.length < wanted.length) return changed;
  const unset =
    stringsAt(spec, "clusterIPs").length === 0 ? [fieldInvalid(path, given(spec, "ipFamilies"), "primary ipFamily can not be unset")] : [];
  return [...unset, ...changed, ...released(spec, wanted.length, "ipFamily")];
}

/** A list as Go prints it: null when absent. */
function given(spec: Fields, name: string): unknown {
  return hasField(spec, name) ? spec[name] : null;
}
