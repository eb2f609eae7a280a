import {
  assumed,
  defaulted,
  integerOrText,
  list,
  map,
  object,
  oneOf,
  optional,
  refused,
  withSchema,
  text,
  boolShape,
  type FieldsOf,
  type ValueOf,
} from "../shape/index.ts";
import { validateHealth } from "./validate-health.ts";
import { kustomizationRef, policyRef, tier, valueFrom } from "./content-reference.ts";
import { helmChart } from "./helm-chart.ts";
import { objectReference } from "./reference.ts";

const atomic = { "x-kubernetes-list-type": "atomic" };

/** The objects that a patch applies to. The fields are regular expressions; an absent one matches everything. */
const patchTarget = object({
  group: optional(text()),
  version: optional(text()),
  kind: optional(text()),
  namespace: optional(text()),
  name: optional(text()),
  labelSelector: optional(text()),
  annotationSelector: optional(text()),
});

const patch = object({ target: optional(patchTarget), patch: text() });
export type ProfilePatch = ValueOf<typeof patch>;

const templateResourceRef = object({
  identifier: text(),
  resource: objectReference,
  optional: assumed(boolShape, false),
  ignoreStatusChanges: refused(boolShape),
  watchFields: refused(list(text())),
});
export type TemplateResourceRef = ValueOf<typeof templateResourceRef>;

const syncMode = oneOf("OneTime", "Continuous", "ContinuousWithDriftDetection", "DryRun");
const stopMatchingBehavior = oneOf("WithdrawPolicies", "LeavePolicies");

/** The fields that profiles and triggers share: what is deployed, and how. */
export const addonContentFields = {
  policyRefs: assumed(withSchema(list(policyRef, atomic), { description: "ConfigMaps and Secrets whose content is deployed." }), []),
  helmCharts: assumed(withSchema(list(helmChart, atomic), { description: "Charts that are installed, in this order." }), []),
  templateResourceRefs: assumed(
    withSchema(list(templateResourceRef, { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["identifier"] }), {
      description: "Objects of the management cluster that templates may use.",
    }),
    [],
  ),
  patches: assumed(list(patch, atomic), []),
  validateHealths: assumed(list(validateHealth, atomic), []),
  dependsOn: assumed(withSchema(list(text()), { description: "Profiles of the same kind that must be deployed before." }), []),
  syncMode: defaulted(syncMode, "Continuous"),
  tier: defaulted(
    withSchema(tier, { description: "Of two profiles that want the same object, the one with the lower tier gets it." }),
    100,
  ),
  continueOnConflict: defaulted(boolShape, false),
  maxUpdate: optional(
    withSchema(integerOrText("^((100|[0-9]{1,2})%|[0-9]+)$"), {
      description: "How many clusters are updated at once: a number or a percentage.",
    }),
  ),
  stopMatchingBehavior: defaulted(
    withSchema(stopMatchingBehavior, { description: "What becomes of deployed objects when a cluster no longer matches." }),
    "WithdrawPolicies",
  ),
  kustomizationRefs: refused(list(kustomizationRef, atomic)),
  reloader: refused(boolShape, false),
  patchesFrom: refused(list(valueFrom, atomic)),
  driftExclusions: refused(list(object({ paths: list(text()), target: optional(patchTarget) }), atomic)),
  preDeployChecks: refused(list(validateHealth, atomic)),
  preDeleteChecks: refused(list(validateHealth, atomic)),
  postDeleteChecks: refused(list(validateHealth, atomic)),
  extraLabels: refused(map(text())),
  extraAnnotations: refused(map(text())),
};

/** What a profile or trigger deploys, and how. */
export type AddonContent = FieldsOf<typeof addonContentFields>;
