import { fieldsAt, listAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../../field-error.ts";
import { checkEach, hasField, stringField } from "./field-checks.ts";
import { ipAddressErrors, parseIp } from "./ip.ts";
import { formatErrors } from "./object-meta.ts";
import { checkDnsSubdomain } from "./name-formats.ts";

// Models pkg/apis/core/validation ValidateLoadBalancerStatus and pkg/apis/networking/validation ValidateIngressLoadBalancerStatus

export const notAName = "must be a DNS name, not an IP address";

function hostErrors(ingress: Fields, path: string): readonly FieldError[] {
  const host = stringField(ingress, "hostname");
  if (host === "") return [];
  return [
    ...formatErrors(checkDnsSubdomain, `${path}.hostname`, host),
    ...(parseIp(host) ? [fieldInvalid(`${path}.hostname`, host, notAName)] : []),
  ];
}

function modeErrors(ingress: Fields, path: string): readonly FieldError[] {
  const at = `${path}.ipMode`;
  const hasAddress = stringField(ingress, "ip") !== "";
  if (!hasField(ingress, "ipMode")) return hasAddress ? [fieldRequired(at, "must be specified when `ip` is set")] : [];
  if (!hasAddress) return [fieldForbidden(at, "may not be specified when `ip` is not set")];
  const mode = stringField(ingress, "ipMode");
  return ["Proxy", "VIP"].includes(mode) ? [] : [fieldNotSupported(at, mode, ["Proxy", "VIP"])];
}

function ipErrors(ingress: Fields, path: string, before: readonly string[]): readonly FieldError[] {
  const ip = stringField(ingress, "ip");
  return ip === "" ? [] : ipAddressErrors(ip, `${path}.ip`, before);
}

const knownIps = (live: KubeObject): readonly string[] =>
  listAt(live, "status.loadBalancer.ingress").map((ingress) => stringField(ingress, "ip"));
const at = "status.loadBalancer";

/** The status of a Service. */
export function validateLoadBalancerStatus(object: KubeObject, live: KubeObject): readonly FieldError[] {
  const status = fieldsAt(object, at);
  const isBalancer = stringAt(object, "spec.type") === "LoadBalancer";
  if (!isBalancer && listAt(status, "ingress").length > 0)
    return [fieldForbidden(`${at}.ingress`, "may only be used when `spec.type` is 'LoadBalancer'")];
  const before = knownIps(live);
  return checkEach(status, "ingress", at, (ingress, path) => [
    ...ipErrors(ingress, path, before),
    ...modeErrors(ingress, path),
    ...hostErrors(ingress, path),
  ]);
}

export function validateIngressStatus(object: KubeObject, live: KubeObject): readonly FieldError[] {
  const before = knownIps(live);
  return checkEach(fieldsAt(object, at), "ingress", at, (ingress, path) => [
    ...ipErrors(ingress, path, before),
    ...hostErrors(ingress, path),
  ]);
}
