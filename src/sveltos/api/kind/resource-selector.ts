import { labelFilter, labelSelector } from "../selector.ts";
import { list, nonEmptyText, object, optional, text, type ValueOf } from "../shape/index.ts";

/** A CEL rule of a user, and its name for messages. */
export const celRule = object({ name: text(), rule: text() });
export type CelRule = ValueOf<typeof celRule>;

/** A selector of objects and how each is evaluated, as written in v1beta1. */
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
