import { fieldsAt, listAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../../field-error.ts";
import { isSemanticDeepEqual } from "../field-edits.ts";
import { checkEach, checkRequired, checkOptional, stringField, checkNestedObject } from "./field-checks.ts";
import { asGo } from "./go-value.ts";
import type { KindRules } from "./kind-rules.ts";
import { validateCoreObjectMeta, validateCoreObjectMetaUpdate, validateLabelSelector } from "./object-meta.ts";
import { checkDnsSubdomain, checkPathSegment } from "./name-formats.ts";

// Models pkg/apis/rbac/validation/validation.go

const group = "rbac.authorization.k8s.io";
const isNamespaced = (object: KubeObject): boolean => object.kind === "Role" || object.kind === "RoleBinding";
const meta = (object: KubeObject): readonly FieldError[] =>
  validateCoreObjectMeta(object, { name: checkPathSegment, namespaced: isNamespaced(object) });

function urlRule(rule: Fields, path: string, namespaced: boolean): readonly FieldError[] {
  const urls = stringsAt(rule, "nonResourceURLs");
  const mixed = ["apiGroups", "resources", "resourceNames"].some((name) => stringsAt(rule, name).length > 0);
  return [
    ...(namespaced ? [fieldInvalid(`${path}.nonResourceURLs`, urls, "namespaced rules cannot apply to non-resource URLs")] : []),
    ...(mixed ? [fieldInvalid(`${path}.nonResourceURLs`, urls, "rules cannot apply to both regular resources and non-resource URLs")] : []),
  ];
}

function policyRule(rule: Fields, path: string, namespaced: boolean): readonly FieldError[] {
  const missing = (name: string, detail: string): readonly FieldError[] =>
    stringsAt(rule, name).length === 0 ? [fieldRequired(`${path}.${name}`, detail)] : [];
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
  return [
    ...(none ? [fieldRequired(`${path}.clusterRoleSelectors`, detail)] : []),
    ...checkEach(rule, "clusterRoleSelectors", path, validateLabelSelector),
  ];
}

function role(object: KubeObject): readonly FieldError[] {
  const rules = listAt(object, "rules").flatMap((rule, index) => policyRule(rule, `rules[${index}]`, isNamespaced(object)));
  const aggregated = checkNestedObject(object, "aggregationRule", "", (rule) => aggregation(rule, "aggregationRule"));
  return [...meta(object), ...rules, ...aggregated];
}

export const roleRules: KindRules = {
  create: role,
  update: (object, live) => [...role(object), ...validateCoreObjectMetaUpdate(object, live)],
};

function subject(fields: Fields, path: string, namespaced: boolean): readonly FieldError[] {
  const [kind, given] = [stringField(fields, "kind"), stringField(fields, "apiGroup")];
  const nameless = stringField(fields, "name") === "" ? [fieldRequired(`${path}.name`)] : [];
  if (kind === "User" || kind === "Group")
    return [...nameless, ...(given === group ? [] : [fieldNotSupported(`${path}.apiGroup`, given, [group])])];
  if (kind !== "ServiceAccount") return [...nameless, fieldNotSupported(`${path}.kind`, kind, ["ServiceAccount", "User", "Group"])];
  return [
    ...nameless,
    ...checkOptional(fields, "name", path, checkDnsSubdomain),
    ...(given === "" ? [] : [fieldNotSupported(`${path}.apiGroup`, given, [""])]),
    ...(!namespaced && stringField(fields, "namespace") === "" ? [fieldRequired(`${path}.namespace`)] : []),
  ];
}

function binding(object: KubeObject): readonly FieldError[] {
  const ref = fieldsAt(object, "roleRef");
  const kinds = isNamespaced(object) ? ["Role", "ClusterRole"] : ["ClusterRole"];
  return [
    ...meta(object),
    ...(stringField(ref, "apiGroup") === group ? [] : [fieldNotSupported("roleRef.apiGroup", stringField(ref, "apiGroup"), [group])]),
    ...(kinds.includes(stringField(ref, "kind")) ? [] : [fieldNotSupported("roleRef.kind", stringField(ref, "kind"), kinds)]),
    ...checkRequired(ref, "name", "roleRef", checkPathSegment),
    ...listAt(object, "subjects").flatMap((fields, index) => subject(fields, `subjects[${index}]`, isNamespaced(object))),
  ];
}

export const roleBindingRules: KindRules = {
  create: binding,
  update: (object, live) => {
    const same = isSemanticDeepEqual(object["roleRef"], live["roleRef"]);
    const moved = same ? [] : [fieldInvalid("roleRef", asGo(object["roleRef"], "rbac.RoleRef"), "cannot change roleRef")];
    return [...binding(object), ...validateCoreObjectMetaUpdate(object, live), ...moved];
  },
};
