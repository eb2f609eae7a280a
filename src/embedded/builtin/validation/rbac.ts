import { fieldsAt, listAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { invalid, notSupported, required, type FieldError } from "../../field-error.ts";
import { isSemanticallySame } from "../edit.ts";
import { each, named, optional, text, within } from "./check.ts";
import { asGo } from "./go-value.ts";
import type { KindRules } from "./kind.ts";
import { coreMeta, coreMetaUpdate, labelSelector } from "./meta.ts";
import { dnsSubdomain, pathSegment } from "./names.ts";

// Models pkg/apis/rbac/validation/validation.go

const group = "rbac.authorization.k8s.io";
const isNamespaced = (object: KubeObject): boolean => object.kind === "Role" || object.kind === "RoleBinding";
const meta = (object: KubeObject): readonly FieldError[] => coreMeta(object, { name: pathSegment, namespaced: isNamespaced(object) });

function urlRule(rule: Fields, path: string, namespaced: boolean): readonly FieldError[] {
  const urls = stringsAt(rule, "nonResourceURLs");
  const mixed = ["apiGroups", "resources", "resourceNames"].some((name) => stringsAt(rule, name).length > 0);
  return [
    ...(namespaced ? [invalid(`${path}.nonResourceURLs`, urls, "namespaced rules cannot apply to non-resource URLs")] : []),
    ...(mixed ? [invalid(`${path}.nonResourceURLs`, urls, "rules cannot apply to both regular resources and non-resource URLs")] : []),
  ];
}

function policyRule(rule: Fields, path: string, namespaced: boolean): readonly FieldError[] {
  const missing = (name: string, detail: string): readonly FieldError[] =>
    stringsAt(rule, name).length === 0 ? [required(`${path}.${name}`, detail)] : [];
  const verbs = missing("verbs", "verbs must contain at least one value");
  if (stringsAt(rule, "nonResourceURLs").length > 0) return [...verbs, ...urlRule(rule, path, namespaced)];
  return [
    ...verbs,
    ...missing("apiGroups", "resource rules must supply at least one api group"),
    ...missing("resources", "resource rules must supply at least one resource"),
  ];
}

function aggregation(rule: Fields, path: string): readonly FieldError[] {
  const none = listAt(rule, "clusterRoleSelectors").length === 0;
  const detail = "at least one clusterRoleSelector required if aggregationRule is non-nil";
  return [...(none ? [required(`${path}.clusterRoleSelectors`, detail)] : []), ...each(rule, "clusterRoleSelectors", path, labelSelector)];
}

function role(object: KubeObject): readonly FieldError[] {
  const rules = listAt(object, "rules").flatMap((rule, index) => policyRule(rule, `rules[${index}]`, isNamespaced(object)));
  const aggregated = within(object, "aggregationRule", "", (rule) => aggregation(rule, "aggregationRule"));
  return [...meta(object), ...rules, ...aggregated];
}

export const roleRules: KindRules = {
  create: role,
  update: (object, live) => [...role(object), ...coreMetaUpdate(object, live)],
};

function subject(fields: Fields, path: string, namespaced: boolean): readonly FieldError[] {
  const [kind, given] = [text(fields, "kind"), text(fields, "apiGroup")];
  const nameless = text(fields, "name") === "" ? [required(`${path}.name`)] : [];
  if (kind === "User" || kind === "Group")
    return [...nameless, ...(given === group ? [] : [notSupported(`${path}.apiGroup`, given, [group])])];
  if (kind !== "ServiceAccount") return [...nameless, notSupported(`${path}.kind`, kind, ["ServiceAccount", "User", "Group"])];
  return [
    ...nameless,
    ...optional(fields, "name", path, dnsSubdomain),
    ...(given === "" ? [] : [notSupported(`${path}.apiGroup`, given, [""])]),
    ...(!namespaced && text(fields, "namespace") === "" ? [required(`${path}.namespace`)] : []),
  ];
}

function binding(object: KubeObject): readonly FieldError[] {
  const ref = fieldsAt(object, "roleRef");
  const kinds = isNamespaced(object) ? ["Role", "ClusterRole"] : ["ClusterRole"];
  return [
    ...meta(object),
    ...(text(ref, "apiGroup") === group ? [] : [notSupported("roleRef.apiGroup", text(ref, "apiGroup"), [group])]),
    ...(kinds.includes(text(ref, "kind")) ? [] : [notSupported("roleRef.kind", text(ref, "kind"), kinds)]),
    ...named(ref, "name", "roleRef", pathSegment),
    ...listAt(object, "subjects").flatMap((fields, index) => subject(fields, `subjects[${index}]`, isNamespaced(object))),
  ];
}

export const roleBindingRules: KindRules = {
  create: binding,
  update: (object, live) => {
    const same = isSemanticallySame(object["roleRef"], live["roleRef"]);
    const moved = same ? [] : [invalid("roleRef", asGo(object["roleRef"], "rbac.RoleRef"), "cannot change roleRef")];
    return [...binding(object), ...coreMetaUpdate(object, live), ...moved];
  },
};
