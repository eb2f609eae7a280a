import { clusterSelector } from "../selector.ts";
import {
  assumed,
  bytes,
  integer,
  list,
  object,
  optional,
  refused,
  withSchema,
  text,
  time,
  boolShape,
  type ValueOf,
} from "../shape/index.ts";
import { addonContentFields } from "./addon-content.ts";
import { conditionList } from "./condition.ts";
import { objectReference } from "./reference.ts";

/** The spec of ClusterProfile and Profile, and of the copy in a ClusterSummary. */
export const profileSpec = object({
  clusterSelector: assumed(
    withSchema(clusterSelector, { description: "Which clusters: env=prod, or matchLabels and matchExpressions." }),
    {},
  ),
  clusterRefs: assumed(list(objectReference), []),
  setRefs: assumed(
    withSchema(list(text()), { description: "ClusterSets, or for a Profile Sets of its namespace, whose clusters are meant." }),
    [],
  ),
  ...addonContentFields,
  continueOnError: refused(boolShape, false),
  maxConsecutiveFailures: refused(integer()),
});
export type ProfileSpec = ValueOf<typeof profileSpec>;

const updated = object({ hash: optional(bytes), clusters: optional(list(objectReference)) });

export const profileStatus = object({
  observedGeneration: optional(integer({ format: "int64" })),
  failureMessage: optional(withSchema(text(), { description: "What is wrong with the profile itself: nothing is deployed." })),
  matchingClusters: optional(list(objectReference)),
  updatingClusters: optional(updated),
  updatedClusters: optional(updated),
  failedClusters: optional(list(object({ clusterRef: objectReference, failureMessage: text(), lastFailureTime: optional(time) }))),
  dependenciesHash: optional(bytes),
  reconciliationSuspended: optional(boolShape),
  suspensionReason: optional(text()),
  conditions: optional(conditionList),
});
export type ProfileStatus = ValueOf<typeof profileStatus>;

/** The spec of ClusterSet and Set. */
export const clusterSetSpec = object({
  clusterSelector: assumed(clusterSelector, {}),
  clusterRefs: assumed(list(objectReference), []),
  maxReplicas: assumed(withSchema(integer(), { description: "How many of the matching clusters are selected." }), 0),
});

export const clusterSetStatus = object({
  failureMessage: optional(text()),
  matchingClusterRefs: optional(list(objectReference)),
  selectedClusterRefs: optional(list(objectReference)),
});
