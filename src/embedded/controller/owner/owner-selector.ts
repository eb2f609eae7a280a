import { fieldsAt, labelSelectorOf, type LabelSelector } from "../../../core/object/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";

const compiled = new WeakMap<object, LabelSelector>();

/** An object's `spec.selector`, ready to be asked; compiled once for as long as the selector stays the same value. */
export function ownerSelectorOf(owner: KubeObject): LabelSelector {
  const selector = fieldsAt(owner, "spec.selector");
  let known = compiled.get(selector);
  if (known === undefined) {
    known = labelSelectorOf(selector);
    compiled.set(selector, known);
  }
  return known;
}
