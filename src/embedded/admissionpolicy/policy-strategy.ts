import { builtInStrategyFor, validateObjectMetaUpdate, type Strategy } from "../builtin/index.ts";
import { validateBinding } from "./validate-binding.ts";
import { validatePolicy } from "./validate-policy.ts";

const group = "admissionregistration.k8s.io";

/** The strategy of policies, whose expressions are compiled. */
export function policyStrategy(): Strategy {
  return {
    ...builtInStrategyFor(group, "ValidatingAdmissionPolicy"),
    validate: (policy) => validatePolicy(policy),
    validateUpdate: (policy, live) => [...validateObjectMetaUpdate(policy, live), ...validatePolicy(policy, live)],
  };
}

export function policyBindingStrategy(): Strategy {
  return {
    ...builtInStrategyFor(group, "ValidatingAdmissionPolicyBinding"),
    validate: validateBinding,
    validateUpdate: (binding, live) => [...validateObjectMetaUpdate(binding, live), ...validateBinding(binding)],
  };
}
