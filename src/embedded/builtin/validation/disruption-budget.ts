import { fieldsAt, type KubeObject } from "../../../core/object/index.ts";
import { invalid, type FieldError } from "../../field-error.ts";
import { has, nonNegative, optionalOneOf } from "./check.ts";
import { asGo } from "./go-value.ts";
import { atMostAll, intOrPercent } from "./int-or-percent.ts";
import type { KindRules } from "./kind.ts";
import { labelSelector } from "./meta.ts";

// Models pkg/apis/policy/validation/validation.go, which leaves metadata to what the server checks for every kind

function budget(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const amounts = ["minAvailable", "maxUnavailable"].filter((name) => has(spec, name));
  const both =
    amounts.length > 1
      ? [invalid("spec", asGo(spec, "policy.PodDisruptionBudgetSpec"), "minAvailable and maxUnavailable cannot be both set")]
      : [];
  return [
    ...both,
    ...amounts.flatMap((name) => [...intOrPercent(spec[name], `spec.${name}`), ...atMostAll(spec[name], `spec.${name}`)]),
    ...labelSelector(spec["selector"], "spec.selector"),
    ...optionalOneOf(spec, "unhealthyPodEvictionPolicy", "spec", ["AlwaysAllow", "IfHealthyBudget"]),
  ];
}

const counters = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"];

export const disruptionBudgetRules: KindRules = {
  create: budget,
  update: budget,
  status: (object) => counters.flatMap((name) => nonNegative(fieldsAt(object, "status"), name, "status")),
};
