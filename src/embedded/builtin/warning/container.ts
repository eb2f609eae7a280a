import { fieldsAt, listAt, stringAt, type Fields } from "../../../core/object/index.ts";
import { isSemanticDeepEqual, isUnset } from "../field-edits.ts";
import { appArmorAnnotation, appArmorProfileOf } from "../prepare/app-armor.ts";
import { fractionWarnings } from "./fraction.ts";

/** A container and its path. */
export type ContainerAt = { readonly container: Fields; readonly path: string };

/** The Pod of a container. */
type PodParts = {
  readonly annotations: Readonly<Record<string, string>>;
  /** The path of an annotation. */
  readonly annotation: (key: string) => string;
  readonly spec: Fields;
  readonly isTemplate: boolean;
};

/** What is odd about a container. Models pkg/api/pod/warnings.go */
export function containerWarnings({ container, path }: ContainerAt, pod: PodParts): readonly string[] {
  const name = stringAt(container, "name", "");
  const security = fieldsAt(container, "securityContext");
  const seccomp = `container.seccomp.security.alpha.kubernetes.io/${name}`;
  return [
    ...(seccomp in pod.annotations && isUnset(security["seccompProfile"])
      ? [`${pod.annotation(seccomp)}: non-functional in v1.27+; use the "seccompProfile" field instead`]
      : []),
    ...(pod.isTemplate && isUnset(security["appArmorProfile"]) ? appArmorWarnings(name, pod) : []),
    ...[
      ["limits", "memory"],
      ["requests", "memory"],
      ["limits", "ephemeral-storage"],
      ["requests", "ephemeral-storage"],
    ].flatMap(([list = "", resource = ""]) => fractionWarnings(container, `${path}.resources.${list}`, `resources.${list}`, resource)),
    ...environmentWarnings(listAt(container, "env"), `${path}.env`),
  ];
}

/** A Pod itself is warned of when its annotations become fields. */
function appArmorWarnings(name: string, { annotations, annotation, spec }: PodParts): readonly string[] {
  const key = appArmorAnnotation(name);
  const value = annotations[key];
  if (value === undefined) return [];
  const ofPod = fieldsAt(spec, "securityContext")["appArmorProfile"];
  if (!isUnset(ofPod) && isSemanticDeepEqual(ofPod, appArmorProfileOf(value))) return [];
  return [`${annotation(key)}: deprecated since v1.30; use the "appArmorProfile" field instead`];
}

/** A variable may be set again by a value that has the former one in it. */
function environmentWarnings(variables: readonly Fields[], path: string): readonly string[] {
  const seen = new Set<string>();
  return variables.flatMap((variable, index) => {
    const name = stringAt(variable, "name", "");
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const value = stringAt(variable, "value", "");
    const reference = `$(${name})`;
    if (isUnset(variable["valueFrom"]) && value !== reference && value.includes(reference)) return [];
    return [`${path}[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`];
  });
}
