import type { KubeObject } from "../../core/object/index.ts";
import type { Behaviour, CustomCondition } from "./behaviour.ts";
import { chanceFor } from "./chance.ts";
import { effectiveRuleOf } from "./effective-rule.ts";
import { sample } from "./duration.ts";
import { momentAfter } from "./probe-run.ts";

/** The delay of a change of an object, in milliseconds; or the reason why it never happens. */
export type SampledDelay = { readonly afterMs: number } | { readonly never: string };

function waitFor(object: KubeObject, behaviour: Behaviour, seed: number, what: "schedule" | "address" | "bind"): SampledDelay {
  const delay = effectiveRuleOf(object, behaviour)[what];
  if ("never" in delay) return { never: delay.never };
  const chance = chanceFor(seed, object.metadata.namespace ?? "", object.metadata.name);
  return { afterMs: momentAfter(delay, 0, () => chance(what)) };
}

/** The delay until a pod is scheduled; `never` is the reason. */
export function scheduleDelay(pod: KubeObject, behaviour: Behaviour, seed: number): SampledDelay {
  return waitFor(pod, behaviour, seed, "schedule");
}

/** The delay until a Service of type LoadBalancer has its address. */
export function addressDelay(service: KubeObject, behaviour: Behaviour, seed: number): SampledDelay {
  return waitFor(service, behaviour, seed, "address");
}

/** The delay until a claim is provisioned and bound. */
export function bindDelay(claim: KubeObject, behaviour: Behaviour, seed: number): SampledDelay {
  return waitFor(claim, behaviour, seed, "bind");
}

/** The conditions that rules set on a custom resource, each with its delay; empty when no rule matches. */
export function customConditions(
  object: KubeObject,
  resource: string,
  behaviour: Behaviour,
  seed: number,
): readonly (Omit<CustomCondition, "after"> & { readonly afterMs: number })[] {
  const chance = chanceFor(seed, object.metadata.namespace ?? "", object.metadata.name);
  return (effectiveRuleOf(object, behaviour, resource).conditions ?? []).map(({ after, ...condition }) => {
    return { ...condition, afterMs: sample(after, chance(`condition ${condition.type}`)) };
  });
}
