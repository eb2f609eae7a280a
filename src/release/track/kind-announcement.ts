import { stringAt, stringsAt, valueAt, type GroupVersionKind, type KubeObject } from "../../core/object/index.ts";

/** Whether a CRD or an APIService may add a kind. */
export type IsAnnouncement = (announced: KubeObject) => boolean;

/** The kinds that tell an API server what to serve. */
export const announcingKinds: readonly GroupVersionKind[] = [
  { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" },
  { group: "apiregistration.k8s.io", version: "v1", kind: "APIService" },
];

/** A CRD of this kind and group, or an APIService of the group. */
export function announcementOfKind({ group, kind }: GroupVersionKind): IsAnnouncement {
  return (announced) => {
    if (stringAt(announced, "spec.group", "") !== group) return false;
    return announced.kind === "APIService" || stringAt(announced, "spec.names.kind", "") === kind;
  };
}

/** A resource argument (`sts`, `widgets.example.com`, `widgets.v1.example.com`); the version and parts of the group may be left out. */
export function announcementOfResource(name: string): IsAnnouncement {
  const [word = "", ...rest] = name.toLowerCase().split(".");
  const suffix = rest.join(".");
  return (announced) => {
    const group = stringAt(announced, "spec.group", "");
    const fits = suffix === "" || group.startsWith(suffix) || suffix.endsWith(`.${group}`);
    if (announced.kind === "APIService") return fits && (suffix !== "" || valueAt(announced, "spec.service") !== undefined);
    return fits && namesOf(announced).includes(word);
  };
}

function namesOf(crd: KubeObject): readonly string[] {
  const names = ["plural", "singular", "kind"].map((name) => stringAt(crd, `spec.names.${name}`, "").toLowerCase());
  return [...names, ...stringsAt(crd, "spec.names.shortNames")];
}
