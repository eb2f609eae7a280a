import { fieldsAt, listAt, numberAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { qosClassOf } from "../pod-resources.ts";

// Models pkg/quota/v1/evaluator/core podMatchesScopeFunc and pvcMatchesScopeFunc

type Scope = { readonly name: string; readonly operator: string; readonly values: readonly string[] };

/** Whether a quota's scopes match an object. A quota with scopes matches Pods and claims only. */
export function matchesQuotaScopes(quota: KubeObject, resource: string, object: KubeObject): boolean {
  return scopesOf(quota).every((scope) => {
    if (resource === "pods") return holdsForPod(scope, fieldsAt(object, "spec"));
    return resource === "persistentvolumeclaims" && scope.name === "VolumeAttributesClass" && selects(scope, attributesClassesOf(object));
  });
}

function scopesOf(quota: KubeObject): Scope[] {
  const named = stringsAt(quota, "spec.scopes").map((name) => ({ name, operator: "Exists", values: [] }));
  const selected = listAt(quota, "spec.scopeSelector.matchExpressions").map((expression) => ({
    name: stringAt(expression, "scopeName", ""),
    operator: stringAt(expression, "operator", "Exists"),
    values: stringsAt(expression, "values"),
  }));
  return [...named, ...selected];
}

function holdsForPod(scope: Scope, spec: Fields): boolean {
  switch (scope.name) {
    case "Terminating":
      return hasActiveDeadline(spec);
    case "NotTerminating":
      return !hasActiveDeadline(spec);
    case "BestEffort":
      return qosClassOf(spec) === "BestEffort";
    case "NotBestEffort":
      return qosClassOf(spec) !== "BestEffort";
    case "PriorityClass":
      return selects(
        scope,
        [stringAt(spec, "priorityClassName", "")].filter((name) => name !== ""),
      );
    case "CrossNamespacePodAffinity":
      return hasCrossNamespaceAffinity(spec);
    default:
      return false;
  }
}

/** Quotas call a Pod with activeDeadlineSeconds terminating. */
export function hasActiveDeadline(spec: Fields): boolean {
  return numberAt(spec, "activeDeadlineSeconds", -1) >= 0;
}

function selects({ operator, values }: Scope, classes: readonly string[]): boolean {
  switch (operator) {
    case "Exists":
      return classes.length > 0;
    case "DoesNotExist":
      return classes.length === 0;
    case "In":
      return classes.some((name) => values.includes(name));
    default:
      return classes.length === 0 || classes.some((name) => !values.includes(name));
  }
}

function attributesClassesOf(claim: KubeObject): readonly string[] {
  const places = [
    "spec.volumeAttributesClassName",
    "status.currentVolumeAttributesClassName",
    "status.modifyVolumeStatus.targetVolumeAttributesClassName",
  ];
  return places.map((path) => stringAt(claim, path, "")).filter((name) => name !== "");
}

function hasCrossNamespaceAffinity(spec: Fields): boolean {
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
  const terms = ["podAffinity", "podAntiAffinity"].flatMap((kind) => [
    ...listAt(spec, `affinity.${kind}.${required}`),
    ...listAt(spec, `affinity.${kind}.${preferred}`).map((weighted) => fieldsAt(weighted, "podAffinityTerm")),
  ]);
  return terms.some((term) => stringsAt(term, "namespaces").length > 0 || term["namespaceSelector"] !== undefined);
}
