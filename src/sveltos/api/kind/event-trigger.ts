import { clusterSelector } from "../selector.ts";
import {
  assumed,
  bytes,
  integer,
  list,
  uncheckedBytes,
  nonEmptyText,
  object,
  oneOf,
  optional,
  refused,
  withSchema,
  text,
  boolShape,
  type ValueOf,
} from "../shape/index.ts";
import { addonContentFields } from "./addon-content.ts";
import { conditionList } from "./condition.ts";
import { objectReference } from "./reference.ts";

/** A template that becomes a ConfigMap or Secret with a name that the user chooses. */
const generator = object({
  name: nonEmptyText,
  namespace: assumed(text(), ""),
  nameFormat: nonEmptyText,
  optional: assumed(boolShape, false),
});
export type Generator = ValueOf<typeof generator>;

const triggerFields = {
  eventSourceName: withSchema(nonEmptyText, { description: "The EventSource; may be a template over .Cluster." }),
  clusterSetRefs: assumed(list(text()), []),
  destinationClusterSelector: assumed(
    withSchema(clusterSelector, { description: "Deploy to these clusters instead of the one of the event." }),
    {},
  ),
  destinationCluster: optional(withSchema(objectReference, { description: "Deploy to this cluster; its fields may be templates." })),
  oneForEvent: assumed(
    withSchema(boolShape, {
      description: "One profile for every object that matches, or one for all of them.",
      "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "Value is immutable" }],
    }),
    false,
  ),
  profileNameFormat: assumed(text(), ""),
  configMapGenerator: assumed(list(generator), []),
  secretGenerator: assumed(list(generator), []),
  ...addonContentFields,
  cloudEventAction: refused(text(), "Create"),
};

export const eventTriggerSpec = object({
  sourceClusterSelector: withSchema(clusterSelector, {
    description: "Where events are watched: env=prod, or matchLabels and matchExpressions.",
  }),
  ...triggerFields,
});

/** EventTrigger under its first name, with both names of its selector. */
export const eventBasedAddOnSpec = object(
  {
    clusterSelector: optional(clusterSelector),
    sourceClusterSelector: optional(clusterSelector),
    ...triggerFields,
  },
  { exactlyOneOf: ["clusterSelector", "sourceClusterSelector"] },
);

const provisioning = oneOf("Provisioning", "Provisioned", "Failed", "FailedNonRetriable", "Removing", "Removed");

export const eventTriggerStatus = object({
  observedGeneration: optional(integer({ format: "int64" })),
  failureMessage: optional(withSchema(text(), { description: "What is wrong with the trigger itself: nothing is deployed." })),
  matchingClusters: optional(list(objectReference)),
  destinationMatchingClusterRefs: optional(list(objectReference)),
  clusterInfo: optional(
    list(object({ cluster: objectReference, hash: bytes, status: optional(provisioning), failureMessage: optional(text()) }), {
      "x-kubernetes-list-type": "atomic",
    }),
  ),
  conditions: optional(conditionList),
});
export type EventTriggerStatus = ValueOf<typeof eventTriggerStatus>;

export const eventReportSpec = object({
  clusterName: text(),
  clusterNamespace: text(),
  clusterType: text(),
  eventSourceName: text(),
  matchingResources: optional(list(objectReference, { "x-kubernetes-list-type": "atomic" })),
  resources: optional(
    withSchema(uncheckedBytes, { description: "The matching objects, when they are collected: JSON, each followed by a newline and ---." }),
  ),
  cloudEvents: refused(list(bytes)),
});

export const eventReportStatus = object({
  phase: optional(oneOf("WaitingForDelivery", "Delivering", "Processed")),
  failureMessage: optional(text()),
});
