import { fieldsAt, listAt, stringAt, type Fields, type ObjectMeta } from "../../../../core/object/index.ts";

/** A Pod, or the template of one, as checks see it. */
export type PodTemplate = { readonly metadata: Pick<ObjectMeta, "annotations">; readonly spec: Fields };

/** Why a check forbids a Pod. */
export type Violation = { readonly reason: string; readonly detail: string };

/** Models pod-security-admission policy/checks.go CheckPodFn */
export type PodCheck = (pod: PodTemplate) => Violation | undefined;

/** Init, usual and ephemeral containers. Models policy/visitor.go */
export function containersOf({ spec }: PodTemplate): readonly Fields[] {
  return [...listAt(spec, "initContainers"), ...listAt(spec, "containers"), ...listAt(spec, "ephemeralContainers")];
}

export function nameOf(container: Fields): string {
  return stringAt(container, "name", "");
}

/** The security context of a Pod or a container. */
export function securityOf(fields: Fields): Fields {
  return fieldsAt(fields, "securityContext");
}

export function isWindows({ spec }: PodTemplate): boolean {
  return stringAt(spec, "os.name") === "windows";
}

/** The users in a user namespace are nobody outside. */
export function hasUserNamespace({ spec }: PodTemplate): boolean {
  return spec["hostUsers"] === false;
}

/** `"a", "b"`. */
export function quoted(items: Iterable<string>): string {
  return [...items].map((item) => `"${item}"`).join(", ");
}

/** Without doubles, in order. */
export function sortedSet(items: Iterable<string>): readonly string[] {
  return [...new Set(items)].sort();
}

export function plural(singular: string, many: string, count: number): string {
  return count === 1 ? singular : many;
}

/** `container "a"`, `containers "a", "b"`. */
export function containersText(names: readonly string[]): string {
  return `${plural("container", "containers", names.length)} ${quoted(names)}`;
}

/** The pod, the containers, or both: whoever sets something forbidden. */
export function settersText(isPod: boolean, containers: readonly string[]): string {
  return [...(isPod ? ["pod"] : []), ...(containers.length === 0 ? [] : [containersText(containers)])].join(" and ");
}
