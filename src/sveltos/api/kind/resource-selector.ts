import { labelFilter, labelSelector } from "../selector.ts";
import { list, nonEmptyText, object, optional, text, type ValueOf } from "../shape/index.ts";

/** A CEL rule that a user wrote, with the name that messages call it by. */
export const celRule = object({ name: text(), rule: text() });
export type CelRule = ValueOf<typeof celRule>;

/** Which objects of a cluster are looked at, as it is written in v1beta1. */
export const resourceSelectorShape = object({
  group: text(),
  version: text(),
  kind: nonEmptyText,
  namespace: optional(text()),
  name: optional(text()),
  labelFilters: optional(list(labelFilter)),
  selector: optional(labelSelector),
  evaluate: optional(text()),
  evaluateCEL: optional(list(celRule)),
});
