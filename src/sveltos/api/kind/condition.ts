import { integer, list, nonEmptyText, object, optional, text, time, withSchema } from "../shape/index.ts";

const condition = object({
  type: nonEmptyText,
  status: text({ pattern: "^(True|False|Unknown)$" }),
  reason: optional(text()),
  message: optional(text()),
  lastTransitionTime: optional(time),
  observedGeneration: optional(integer({ format: "int64" })),
});

/** Conditions as in Kubernetes' API. Sluice lists one only while it holds. */
export const conditionList = withSchema(list(condition, { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"] }), {
  description: "What a user should know: each condition is there while it holds.",
});
