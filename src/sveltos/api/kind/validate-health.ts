import { labelFilter } from "../selector.ts";
import { assumed, list, nonEmptyText, object, oneOf, refused, optional, text, type ValueOf } from "../shape/index.ts";
import { secretReference } from "./reference.ts";
import { celRule } from "./resource-selector.ts";

export const featureId = oneOf("Resources", "Helm", "Kustomize");

/** A health check of objects in the cluster after a feature is deployed. Every selected object must pass it. */
export const validateHealth = object(
  {
    name: text(),
    featureID: featureId,
    group: assumed(text(), ""),
    version: assumed(text(), ""),
    kind: assumed(text(), ""),
    namespace: assumed(text(), ""),
    labelFilters: assumed(list(labelFilter), []),
    script: assumed(text(), ""),
    evaluateCEL: assumed(list(celRule), []),
    jobCheck: refused(
      object({ jobRef: object({ kind: oneOf("Secret", "ConfigMap"), name: nonEmptyText, namespace: text() }), timeout: optional(text()) }),
    ),
    metricQueries: refused(list(object({ name: nonEmptyText, query: nonEmptyText }))),
    metricSource: refused(object({ url: nonEmptyText, path: optional(text()), secretRef: optional(secretReference) })),
  },
  {
    rules: [
      {
        rule: "!has(self.jobCheck) || (!has(self.script) && !has(self.evaluateCEL))",
        message: "jobCheck excludes script and evaluateCEL",
      },
    ],
  },
);
export type ValidateHealth = ValueOf<typeof validateHealth>;
