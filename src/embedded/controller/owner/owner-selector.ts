import { fieldsAt, labelSelectorOf, type LabelSelector } from "../../../core/object/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";

const compiled = new WeakMap<object, LabelSelector>();

/** The compiled `spec.selector` of an object; compiled once for each selector value. */
export function ownerSelectorOf(owner: KubeObject): LabelSelector {
  const selector = fieldsAt(owner, "spec.selector");
  let known = compiled.get(selector);
  if (known === undefined) {
    known = labelSelectorOf(selector);
    compiled.set(selector, known);
  }
  return known;
}
