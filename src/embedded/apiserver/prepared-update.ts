import type { KubeObject } from "../../core/object/index.ts";
import type { Strategy } from "../builtin/index.ts";
import type { FieldError } from "../field-error.ts";

/** The object that an update is about to store: only what the subresource may change is changed. */
export function preparedUpdate(strategy: Strategy, next: KubeObject, live: KubeObject, subresource = "", now = ""): KubeObject {
  if (subresource === "status") return strategy.prepareStatus(next, live, { now });
  const part = strategy.subresources?.[subresource];
  if (part !== undefined) return part.prepare(next, live, { now });
  const prepared = strategy.prepareForUpdate(next, live);
  return subresource === "finalize" ? { ...prepared, spec: next["spec"] } : prepared;
}

/** What is wrong with it. */
export function validatedUpdate(strategy: Strategy, next: KubeObject, live: KubeObject, subresource = ""): readonly FieldError[] {
  if (subresource === "status") return strategy.validateStatus(next, live);
  return strategy.subresources?.[subresource]?.validate(next, live) ?? strategy.validateUpdate(next, live);
}
