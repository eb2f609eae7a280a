import { fieldsAt, isFields, listAt, mapAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldForbidden, fieldInvalid, type FieldError } from "../../field-error.ts";
import { checkEach, stringField } from "./field-checks.ts";
import { validateDescendingPath } from "./volume-path.ts";

// Models pkg/apis/core/validation/validation.go ValidatePodSpecificAnnotations and what compares annotations with fields

type Annotations = Readonly<Record<string, string>>;

const deletionCost = "controller.kubernetes.io/pod-deletion-cost";
const mirror = "kubernetes.io/config.mirror";
const seccompOfPod = "seccomp.security.alpha.kubernetes.io/pod";
const seccompOf = "container.seccomp.security.alpha.kubernetes.io/";
const appArmorOf = "container.apparmor.security.beta.kubernetes.io/";
const localhost = "localhost/";
const lists = ["initContainers", "containers", "ephemeralContainers"];

export function validatePodAnnotations(annotations: Annotations, spec: Fields, path: string): readonly FieldError[] {
  const keys = Object.keys(annotations).toSorted();
  const [cost, source] = [annotations[deletionCost], annotations[mirror]];
  return [
    ...(source !== undefined && stringField(spec, "nodeName") === ""
      ? [fieldInvalid(`${path}[${mirror}]`, source, "must set spec.nodeName if mirror pod annotation is set")]
      : []),
    ...(cost === undefined || /^(?:0|[+-]?[1-9][0-9]{0,9})$/.test(cost)
      ? []
      : [fieldInvalid(`${path}[${deletionCost}]`, cost, "must be a 32bit integer")]),
    ...[seccompOfPod, ...keys.filter((key) => key.startsWith(seccompOf))].flatMap((key) => seccomp(annotations[key], `${path}.${key}`)),
    ...keys
      .filter((key) => key.startsWith(appArmorOf))
      .flatMap((key) => appArmor(key.slice(appArmorOf.length), annotations[key] ?? "", spec, `${path}[${key}]`)),
  ];
}

function seccomp(profile: string | undefined, path: string): readonly FieldError[] {
  if (profile === undefined || ["runtime/default", "docker/default", "unconfined"].includes(profile)) return [];
  if (profile.startsWith(localhost)) return validateDescendingPath(profile.slice(localhost.length), path);
  return [fieldInvalid(path, profile, "must be a valid seccomp profile")];
}

function appArmor(container: string, profile: string, spec: Fields, path: string): readonly FieldError[] {
  const isThere = lists.some((list) => listAt(spec, list).some((each) => stringField(each, "name") === container));
  const isKnown = ["", "runtime/default", "unconfined"].includes(profile) || profile.startsWith(localhost);
  return [
    ...(isThere ? [] : [fieldInvalid(path, container, "container not found")]),
    ...(isKnown ? [] : [fieldInvalid(path, profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`)]),
  ];
}

/** Profiles in annotations and in fields must be the same. */
export function validateAnnotatedProfiles(annotations: Annotations, spec: Fields, path: string): readonly FieldError[] {
  const ofPod = fieldsAt(spec, "securityContext");
  const inContainers = (check: (container: Fields, context: Fields, at: string) => readonly FieldError[]) =>
    lists.flatMap((list) =>
      checkEach(spec, list, path, (container, at) => check(container, fieldsAt(container, "securityContext"), `${at}.securityContext`)),
    );
  return [
    ...unlike("seccomp", annotations[seccompOfPod], ofPod["seccompProfile"], `${path}.securityContext.seccompProfile`),
    ...inContainers((container, context, at) =>
      unlike("seccomp", annotations[seccompOf + stringField(container, "name")], context["seccompProfile"], `${at}.seccompProfile`),
    ),
    ...(stringAt(spec, "os.name") === "windows"
      ? []
      : inContainers((container, context, at) => {
          const profile = context["appArmorProfile"] ?? ofPod["appArmorProfile"];
          return unlike("apparmor", annotations[appArmorOf + stringField(container, "name")], profile, `${at}.appArmorProfile`);
        })),
  ];
}

function unlike(name: "seccomp" | "apparmor", annotation: string | undefined, profile: unknown, path: string): readonly FieldError[] {
  if (annotation === undefined || !isFields(profile)) return [];
  const otherType = [fieldForbidden(`${path}.type`, `${name} type in annotation and field must match`)];
  const defaults = ["runtime/default", ...(name === "seccomp" ? ["docker/default"] : [])];
  switch (stringField(profile, "type")) {
    case "Unconfined":
      return annotation === "unconfined" ? [] : otherType;
    case "RuntimeDefault":
      return defaults.includes(annotation) ? [] : otherType;
    case "Localhost":
      if (!annotation.startsWith(localhost)) return otherType;
      return annotation.slice(localhost.length) === stringAt(profile, "localhostProfile")
        ? []
        : [fieldForbidden(`${path}.localhostProfile`, `${name} profile in annotation and field must match`)];
    default:
      return [];
  }
}

function fixed(annotations: Annotations): readonly { readonly key: string; readonly what: string }[] {
  return Object.keys(annotations)
    .filter((key) => key === mirror || key.startsWith(appArmorOf))
    .toSorted()
    .map((key) => ({ key, what: key === mirror ? "mirror pod annotation" : "AppArmor annotations" }));
}

/** Annotations that stay as they are for the life of a Pod. Models ValidatePodSpecificAnnotationUpdates */
export function validatePodAnnotationUpdates(pod: KubeObject, live: KubeObject): readonly FieldError[] {
  const path = "metadata.annotations";
  const [after, before] = [mapAt(pod, path), mapAt(live, path)];
  return [
    ...fixed(before).flatMap(({ key, what }) =>
      after[key] === before[key] ? [] : [fieldForbidden(`${path}[${key}]`, `may not remove or update ${what}`)],
    ),
    ...fixed(after).flatMap(({ key, what }) => (key in before ? [] : [fieldForbidden(`${path}[${key}]`, `may not add ${what}`)])),
    ...validatePodAnnotations(after, fieldsAt(pod, "spec"), path),
  ];
}
