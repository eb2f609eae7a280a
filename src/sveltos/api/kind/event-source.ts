import {
  integer,
  list,
  object,
  oneOf,
  optional,
  refused,
  withSchema,
  text,
  time,
  boolShape,
  defaulted,
  type ValueOf,
} from "../shape/index.ts";
import { labelFilter } from "../selector.ts";
import { conditionList } from "./condition.ts";
import { objectReference } from "./reference.ts";
import { resourceSelectorShape } from "./resource-selector.ts";

/**
 * The fields of all generations: the flat ones of 2023, and the resourceSelectors that replaced them. Without a conversion
 * webhook both versions must accept all of them.
 */
export const eventSourceSpec = object({
  resourceSelectors: optional(list(resourceSelectorShape)),
  aggregatedSelection: optional(
    withSchema(text(), { description: "Lua: evaluate(resources) chooses among all that the selectors have found." }),
  ),
  collectResources: defaulted(
    withSchema(boolShape, {
      description: "Whether reports carry the objects that match, for templates to use, and not their names alone.",
    }),
    false,
  ),
  messagingMatchCriteria: refused(
    list(
      object({
        subject: optional(text()),
        cloudEventSource: optional(text()),
        cloudEventType: optional(text()),
        cloudEventSubject: optional(text()),
      }),
    ),
  ),
  group: optional(withSchema(text(), { description: "Flat form of v1alpha1; use resourceSelectors." })),
  version: optional(text()),
  kind: optional(text()),
  namespace: optional(text()),
  labelFilters: optional(list(labelFilter)),
  labelsFilters: optional(withSchema(list(labelFilter), { description: "Another spelling of labelFilters." })),
  script: optional(text()),
});

/** A failed evaluation: of one object or, without a resource, of a selector or the whole EventSource. */
const evaluationFailure = object({
  resource: optional(objectReference),
  message: text(),
  effect: optional(
    withSchema(oneOf("Skipped"), { description: "Skipped: a CEL rule that counts as false. Otherwise the last verdict holds." }),
  ),
});

export const eventSourceStatus = object({
  observedGeneration: optional(integer({ format: "int64" })),
  matchingResources: optional(withSchema(integer(), { description: "How many objects match, in all clusters." })),
  failureMessage: optional(withSchema(text(), { description: "What is wrong with the EventSource itself: nothing is evaluated." })),
  clusterInfo: optional(
    list(
      object({
        cluster: optional(objectReference),
        matchingResources: integer(),
        lastEvaluationTime: optional(time),
        failures: optional(list(evaluationFailure, { "x-kubernetes-list-type": "atomic" })),
        notServed: optional(
          withSchema(list(text(), { "x-kubernetes-list-type": "atomic" }), {
            description: "Kinds that the cluster does not serve, so that nothing of them can match.",
          }),
        ),
      }),
      { "x-kubernetes-list-type": "atomic" },
    ),
  ),
  conditions: optional(conditionList),
});
export type EventSourceStatus = ValueOf<typeof eventSourceStatus>;
export type EvaluationFailure = ValueOf<typeof evaluationFailure>;
