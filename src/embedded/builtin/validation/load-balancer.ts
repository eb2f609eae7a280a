import { fieldsAt, listAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { forbidden, invalid, notSupported, required, type FieldError } from "../../field-error.ts";
import { each, has, text } from "./check.ts";
import { addressErrors, parseAddress } from "./ip.ts";
import { checked } from "./meta.ts";
import { dnsSubdomain } from "./names.ts";

// Models pkg/apis/core/validation ValidateLoadBalancerStatus and pkg/apis/networking/validation ValidateIngressLoadBalancerStatus

export const notAName = "must be a DNS name, not an IP address";

function hostErrors(ingress: Fields, path: string): readonly FieldError[] {
  const host = text(ingress, "hostname");
  if (host === "") return [];
  return [...checked(dnsSubdomain, `${path}.hostname`, host), ...(parseAddress(host) ? [invalid(`${path}.hostname`, host, notAName)] : [])];
}

function modeErrors(ingress: Fields, path: string): readonly FieldError[] {
  const at = `${path}.ipMode`;
  const hasAddress = text(ingress, "ip") !== "";
  if (!has(ingress, "ipMode")) return hasAddress ? [required(at, "must be specified when `ip` is set")] : [];
  if (!hasAddress) return [forbidden(at, "may not be specified when `ip` is not set")];
  const mode = text(ingress, "ipMode");
  return ["Proxy", "VIP"].includes(mode) ? [] : [notSupported(at, mode, ["Proxy", "VIP"])];
}

function ipErrors(ingress: Fields, path: string, before: readonly string[]): readonly FieldError[] {
  const ip = text(ingress, "ip");
  return ip === "" ? [] : addressErrors(ip, `${path}.ip`, before);
}

const knownIps = (live: KubeObject): readonly string[] => listAt(live, "status.loadBalancer.ingress").map((ingress) => text(ingress, "ip"));
const at = "status.loadBalancer";

/** The status of a Service. */
export function loadBalancerStatus(object: KubeObject, live: KubeObject): readonly FieldError[] {
  const status = fieldsAt(object, at);
  const isBalancer = stringAt(object, "spec.type") === "LoadBalancer";
  if (!isBalancer && listAt(status, "ingress").length > 0)
    return [forbidden(`${at}.ingress`, "may only be used when `spec.type` is 'LoadBalancer'")];
  const before = knownIps(live);
  return each(status, "ingress", at, (ingress, path) => [
    ...ipErrors(ingress, path, before),
    ...modeErrors(ingress, path),
    ...hostErrors(ingress, path),
  ]);
}

export function ingressStatus(object: KubeObject, live: KubeObject): readonly FieldError[] {
  const before = knownIps(live);
  return each(fieldsAt(object, at), "ingress", at, (ingress, path) => [...ipErrors(ingress, path, before), ...hostErrors(ingress, path)]);
}
