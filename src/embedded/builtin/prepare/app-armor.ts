import { fieldsAt, mapAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { changed, changedItems, isSemanticDeepEqual, isUnset } from "../field-edits.ts";
import { validateAppArmorProfile } from "../validation/security-context.ts";

/** The annotation that named the profile of a container before there was a field. */
export function appArmorAnnotation(container: string): string {
  return `container.apparmor.security.beta.kubernetes.io/${container}`;
}

const localhost = "localhost/";

/** The profile that the value of an annotation names. Models pkg/api/pod/util.go ApparmorFieldForAnnotation */
export function appArmorProfileOf(annotation: string): Fields | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  if (!annotation.startsWith(localhost) || annotation === localhost) return undefined;
  return { type: "Localhost", localhostProfile: annotation.slice(localhost.length) };
}

/**
 * Sets the profiles that annotations name, in containers that have none, and warns of these annotations. Models
 * pkg/registry/core/pod/strategy.go applyAppArmorVersionSkew
 */
export function withAppArmorProfiles(pod: KubeObject, warn: (message: string) => void): KubeObject {
  const annotations = mapAt(pod, "metadata.annotations");
  if (stringAt(pod, "spec.os.name") === "windows") return pod;
  const ofPod = fieldsAt(pod, "spec.securityContext")["appArmorProfile"];
  const inContainer = (container: Fields): Fields => {
    const key = appArmorAnnotation(stringAt(container, "name", ""));
    const annotation = annotations[key];
    const security = fieldsAt(container, "securityContext");
    if (annotation === undefined || !isUnset(security["appArmorProfile"])) return container;
    const named = appArmorProfileOf(annotation);
    const profile = named !== undefined && validateAppArmorProfile(named, "").length === 0 ? named : undefined;
    if (profile !== undefined && isSemanticDeepEqual(profile, ofPod)) return container;
    warn(`metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`);
    return profile === undefined ? container : { ...container, securityContext: { ...security, appArmorProfile: profile } };
  };
  return changed(pod, "spec", (spec) =>
    ["initContainers", "containers", "ephemeralContainers"].reduce((result, list) => changedItems(result, list, inContainer), spec),
  );
}
