import { stringAt, valueAt, type Fields } from "../../../../core/object/index.ts";
import {
  containersOf,
  containersText,
  isWindows,
  nameOf,
  plural,
  quoted,
  securityOf,
  settersText,
  sortedSet,
  type PodCheck,
  type Violation,
} from "./violation.ts";

// Models pod-security-admission policy/check_seccompProfile_baseline.go and check_seccompProfile_restricted.go

const reason = "seccompProfile";
const podAnnotation = "seccomp.security.alpha.kubernetes.io/pod";
const containerAnnotation = "container.seccomp.security.alpha.kubernetes.io/";

/** Before 1.19 profiles were annotations. */
export const checkSeccompAnnotations: PodCheck = (pod) => {
  const { annotations = {} } = pod.metadata;
  const keys = [podAnnotation, ...containersOf(pod).map((container) => `${containerAnnotation}${nameOf(container)}`)];
  const bad = keys.filter((key) => annotations[key] !== undefined && !/^(runtime|docker)\/default$|^localhost\//.test(annotations[key]));
  const texts = sortedSet(bad.map((key) => `${key}=${JSON.stringify(annotations[key])}`));
  if (texts.length === 0) return undefined;
  return { reason, detail: `forbidden ${plural("annotation", "annotations", texts.length)} ${texts.join(", ")}` };
};

/** The type of a profile; undefined when there is no profile. */
function typeOf(fields: Fields): string | undefined {
  const profile = valueAt(securityOf(fields), "seccompProfile") ?? undefined;
  return profile === undefined ? undefined : stringAt(profile, "type", "");
}

function isValid(type: string | undefined): boolean {
  return type === "Localhost" || type === "RuntimeDefault";
}

function isBad(fields: Fields): boolean {
  return typeOf(fields) !== undefined && !isValid(typeOf(fields));
}

export const checkSeccomp: PodCheck = (pod) => {
  const containers = containersOf(pod);
  const setters = settersText(isBad(pod.spec), containers.filter(isBad).map(nameOf));
  if (setters === "") return undefined;
  const values = sortedSet([pod.spec, ...containers].filter(isBad).map((fields) => typeOf(fields) ?? ""));
  return { reason, detail: `${setters} must not set securityContext.seccompProfile.type to ${quoted(values)}` };
};

/** A profile must be set as well. */
export const checkRestrictedSeccomp: PodCheck = (pod): Violation | undefined => {
  const bad = checkSeccomp(pod);
  if (bad !== undefined || isValid(typeOf(pod.spec))) return bad;
  const silent = containersOf(pod).filter((container) => typeOf(container) === undefined);
  if (silent.length === 0) return undefined;
  const who = `pod or ${containersText(silent.map(nameOf))}`;
  return { reason, detail: `${who} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"` };
};

export const checkRestrictedSeccomp25: PodCheck = (pod) => (isWindows(pod) ? undefined : checkRestrictedSeccomp(pod));
