import { policyBindingStrategy, policyStrategy } from "../admissionpolicy/index.ts";
import { builtInStrategyFor, type Strategy } from "../builtin/index.ts";
import { customResourceStrategy } from "./custom-resource-strategy.ts";
import { crdStrategy } from "./crd-strategy.ts";
import type { ServedResource } from "./served-resource.ts";

/** Built-in kinds whose validation compiles expressions. */
const own: Readonly<Record<string, (() => Strategy) | undefined>> = {
  "customresourcedefinitions.apiextensions.k8s.io": crdStrategy,
  "validatingadmissionpolicies.admissionregistration.k8s.io": policyStrategy,
  "validatingadmissionpolicybindings.admissionregistration.k8s.io": policyBindingStrategy,
};

const known = new WeakMap<ServedResource, Strategy>();

/** The strategy of a resource, built-in or custom. */
export function strategyOf(resource: ServedResource): Strategy {
  let strategy = known.get(resource);
  if (strategy === undefined) known.set(resource, (strategy = newStrategy(resource)));
  return strategy;
}

function newStrategy(resource: ServedResource): Strategy {
  if (resource.custom !== undefined) return customResourceStrategy(resource, resource.custom);
  return own[resource.key]?.() ?? builtInStrategyFor(resource.group, resource.kind);
}
