import { fieldsAt, type KubeObject } from "../../../core/object/index.ts";
import { fieldInvalid, type FieldError } from "../../field-error.ts";
import { hasField, checkNonNegative, checkOptionalOneOf } from "./field-checks.ts";
import { asGo } from "./go-value.ts";
import { validateAtMost100Percent, validateIntOrPercent } from "./int-or-percent.ts";
import type { KindRules } from "./kind-rules.ts";
import { validateLabelSelector } from "./object-meta.ts";

// Models pkg/apis/policy/validation/validation.go, which leaves metadata to what the server checks for every kind

function budget(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const amounts = ["minAvailable", "maxUnavailable"].filter((name) => hasField(spec, name));
  const both =
    amounts.length > 1
      ? [fieldInvalid("spec", asGo(spec, "policy.PodDisruptionBudgetSpec"), "minAvailable and maxUnavailable cannot be both set")]
      : [];
  return [
    ...both,
    ...amounts.flatMap((name) => [
      ...validateIntOrPercent(spec[name], `spec.${name}`),
      ...validateAtMost100Percent(spec[name], `spec.${name}`),
    ]),
    ...validateLabelSelector(spec["selector"], "spec.selector"),
    ...checkOptionalOneOf(spec, "unhealthyPodEvictionPolicy", "spec", ["AlwaysAllow", "IfHealthyBudget"]),
  ];
}

const counters = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"];

export const disruptionBudgetRules: KindRules = {
  create: budget,
  update: budget,
  status: (object) => counters.flatMap((name) => checkNonNegative(fieldsAt(object, "status"), name, "status")),
};
