import { fieldsAt, listAt, mapAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldForbidden, fieldInvalid, fieldNotSupported, formatValue, fieldRequired, type FieldError } from "../../field-error.ts";
import { isSemanticDeepEqual, withField, withoutFields } from "../field-edits.ts";
import { checkEach, hasField, checkNonNegative, checkOptional, stringField, checkNestedObject } from "./field-checks.ts";
import { validatePersistentVolumeClaimSpec } from "./persistent-volume-claim.ts";
import { asGo } from "./go-value.ts";
import type { KindRules } from "./kind-rules.ts";
import { validateAnnotations, validateCoreObjectMeta, validateCoreObjectMetaUpdate, validateLabels } from "./object-meta.ts";
import { checkDnsLabel } from "./name-formats.ts";
import { validatePodAnnotations } from "./pod-annotations.ts";
import { validatePodTemplate } from "./pod.ts";
import { isValidSelector, validateTemplateLabels, selectorErrors } from "./label-selector.ts";
import { workloadStatusRules } from "./workload-status.ts";
import { validateRestartPolicyAlways } from "./workload.ts";

// Models pkg/apis/apps/validation/validation.go ValidateStatefulSetSpec

/** The template as its Pods have it: with a volume for each claim template. */
function withClaimVolumes(spec: Fields): Fields {
  const template = fieldsAt(spec, "template");
  const names = listAt(spec, "volumeClaimTemplates").map((claim) => stringAt(claim, "metadata.name", ""));
  const pod = fieldsAt(template, "spec");
  if (names.length === 0 && !hasField(pod, "hostname") && !hasField(pod, "subdomain")) return template;
  const made = [...new Set(names)].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const own = listAt(pod, "volumes").filter((volume) => !names.includes(stringField(volume, "name")));
  return { ...template, spec: { ...withoutFields(pod, "hostname", "subdomain"), volumes: [...made, ...own] } };
}

function updateStrategy(spec: Fields, path: string): readonly FieldError[] {
  const strategy = fieldsAt(spec, "updateStrategy");
  const at = `${path}.updateStrategy`;
  switch (stringField(strategy, "type")) {
    case "":
      return [fieldRequired(at)];
    case "OnDelete": {
      const rolling = strategy["rollingUpdate"];
      const shown = rolling === undefined ? null : asGo(rolling, "apps.RollingUpdateStatefulSetStrategy");
      return hasField(strategy, "rollingUpdate")
        ? [fieldInvalid(`${at}.rollingUpdate`, shown, "only allowed for updateStrategy 'RollingUpdate'")]
        : [];
    }
    case "RollingUpdate":
      // maxUnavailable is dropped before validation: its feature gate is off by default.
      return checkNestedObject(strategy, "rollingUpdate", at, (rolling, path) => checkNonNegative(rolling, "partition", path));
    default:
      return [fieldInvalid(at, asGo(strategy, "apps.StatefulSetUpdateStrategy"), "must be 'RollingUpdate' or 'OnDelete'")];
  }
}

function retention(policy: Fields, path: string): readonly FieldError[] {
  const choices = ["Retain", "Delete"];
  return ["whenDeleted", "whenScaled"].flatMap((name) => {
    const value = stringField(policy, name);
    return choices.includes(value) ? [] : [fieldNotSupported(`${path}.${name}`, value, choices)];
  });
}

function managementPolicy(spec: Fields, path: string): readonly FieldError[] {
  const policy = stringField(spec, "podManagementPolicy");
  if (policy === "") return [fieldRequired(`${path}.podManagementPolicy`)];
  return ["OrderedReady", "Parallel"].includes(policy)
    ? []
    : [fieldInvalid(`${path}.podManagementPolicy`, policy, "must be 'OrderedReady' or 'Parallel'")];
}

/** The metadata of the template is validated twice. */
function templateErrors(spec: Fields, path: string, leaveTemplate: boolean): readonly FieldError[] {
  if (!isValidSelector(spec["selector"]))
    return [{ ...fieldInvalid(`${path}.selector`, spec["selector"], ""), message: `Invalid value: ${formatValue(spec["selector"])}` }];
  const template = withClaimVolumes(spec);
  const notes = mapAt(template, "metadata.annotations");
  const at = `${path}.template`;
  return [
    ...validateTemplateLabels(spec, path),
    ...(leaveTemplate ? [] : validatePodTemplate(template, at)),
    ...validateLabels(mapAt(template, "metadata.labels"), `${at}.labels`),
    ...validateAnnotations(notes, `${at}.annotations`),
    ...validatePodAnnotations(notes, fieldsAt(template, "spec"), `${at}.annotations`),
  ];
}

type Leniency = { readonly isNew: boolean; readonly leaveTemplate: boolean };

function statefulSpec(spec: Fields, path: string, { isNew, leaveTemplate }: Leniency): readonly FieldError[] {
  return [
    ...managementPolicy(spec, path),
    ...updateStrategy(spec, path),
    ...checkNestedObject(spec, "persistentVolumeClaimRetentionPolicy", path, retention),
    ...(isNew
      ? checkEach(spec, "volumeClaimTemplates", path, (claim, at) =>
          validatePersistentVolumeClaimSpec(fieldsAt(claim, "spec"), `${at}.spec`),
        )
      : []),
    ...checkNonNegative(spec, "replicas", path),
    ...checkNonNegative(spec, "minReadySeconds", path),
    ...checkNestedObject(spec, "ordinals", path, (ordinals, at) => checkNonNegative(ordinals, "start", at)),
    ...(isNew ? checkOptional(spec, "serviceName", path, checkDnsLabel) : []),
    ...selectorErrors(spec, path, "statefulset"),
    ...templateErrors(spec, path, leaveTemplate),
    ...validateRestartPolicyAlways(spec, path, "StatefulSet"),
  ];
}

const mayChange = [
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
];
const forbiddenUpdate =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

function update(object: KubeObject, live: KubeObject): readonly FieldError[] {
  const [spec, before] = [fieldsAt(object, "spec"), fieldsAt(live, "spec")];
  const leaveTemplate = statefulSpec(before, "", { isNew: false, leaveTemplate: false }).length > 0;
  const comparable = mayChange.reduce((fields, name) => withField(fields, name, before[name]), spec);
  return [
    ...validateCoreObjectMetaUpdate(object, live),
    ...statefulSpec(spec, "spec", { isNew: false, leaveTemplate }),
    ...(isSemanticDeepEqual(comparable, before) ? [] : [fieldForbidden("spec", forbiddenUpdate)]),
  ];
}

export const statefulSetRules: KindRules = {
  create: (object) => [
    ...validateCoreObjectMeta(object, { name: checkDnsLabel, namespaced: true }),
    ...statefulSpec(fieldsAt(object, "spec"), "spec", { isNew: true, leaveTemplate: false }),
  ],
  update,
  status: workloadStatusRules({
    counts: [
      "replicas",
      "readyReplicas",
      "currentReplicas",
      "updatedReplicas",
      "availableReplicas",
      "observedGeneration",
      "collisionCount",
    ],
    within: [
      ["readyReplicas", "replicas", "status.replicas"],
      ["currentReplicas", "replicas", "status.replicas"],
      ["updatedReplicas", "replicas", "status.replicas"],
      ["availableReplicas", "replicas", "status.replicas"],
      ["availableReplicas", "readyReplicas", "status.readyReplicas"],
    ],
  }),
};
