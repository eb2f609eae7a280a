import { fieldsAt, listAt, mapAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { forbidden, invalid, notSupported, printed, required, type FieldError } from "../../field-error.ts";
import { isSemanticallySame, withField, without } from "../edit.ts";
import { each, has, nonNegative, optional, text, within } from "./check.ts";
import { claimSpec } from "./claim.ts";
import { asGo } from "./go-value.ts";
import type { KindRules } from "./kind.ts";
import { annotations, coreMeta, coreMetaUpdate, labels } from "./meta.ts";
import { dnsLabel } from "./names.ts";
import { podAnnotations, podTemplate } from "./pod.ts";
import { isUsable, mismatch, selectorErrors } from "./selector.ts";
import { statusRules } from "./status.ts";
import { alwaysRestarting } from "./workload.ts";

// Models pkg/apis/apps/validation/validation.go ValidateStatefulSetSpec

/** The template as its Pods will have it: a volume for each claim that is made for them. */
function withClaimVolumes(spec: Fields): Fields {
  const template = fieldsAt(spec, "template");
  const names = listAt(spec, "volumeClaimTemplates").map((claim) => stringAt(claim, "metadata.name", ""));
  const pod = fieldsAt(template, "spec");
  if (names.length === 0 && !has(pod, "hostname") && !has(pod, "subdomain")) return template;
  const made = [...new Set(names)].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const own = listAt(pod, "volumes").filter((volume) => !names.includes(text(volume, "name")));
  return { ...template, spec: { ...without(pod, "hostname", "subdomain"), volumes: [...made, ...own] } };
}

function updateStrategy(spec: Fields, path: string): readonly FieldError[] {
  const strategy = fieldsAt(spec, "updateStrategy");
  const at = `${path}.updateStrategy`;
  switch (text(strategy, "type")) {
    case "":
      return [required(at)];
    case "OnDelete": {
      const rolling = strategy["rollingUpdate"];
      const shown = rolling === undefined ? null : asGo(rolling, "apps.RollingUpdateStatefulSetStrategy");
      return has(strategy, "rollingUpdate")
        ? [invalid(`${at}.rollingUpdate`, shown, "only allowed for updateStrategy 'RollingUpdate'")]
        : [];
    }
    case "RollingUpdate":
      // A most of unavailable Pods is dropped before it is looked at: the feature is off by default.
      return within(strategy, "rollingUpdate", at, (rolling, path) => nonNegative(rolling, "partition", path));
    default:
      return [invalid(at, asGo(strategy, "apps.StatefulSetUpdateStrategy"), "must be 'RollingUpdate' or 'OnDelete'")];
  }
}

function retention(policy: Fields, path: string): readonly FieldError[] {
  const choices = ["Retain", "Delete"];
  return ["whenDeleted", "whenScaled"].flatMap((name) => {
    const value = text(policy, name);
    return choices.includes(value) ? [] : [notSupported(`${path}.${name}`, value, choices)];
  });
}

function managementPolicy(spec: Fields, path: string): readonly FieldError[] {
  const policy = text(spec, "podManagementPolicy");
  if (policy === "") return [required(`${path}.podManagementPolicy`)];
  return ["OrderedReady", "Parallel"].includes(policy)
    ? []
    : [invalid(`${path}.podManagementPolicy`, policy, "must be 'OrderedReady' or 'Parallel'")];
}

/** The template's metadata is looked at twice. */
function templateErrors(spec: Fields, path: string, leaveTemplate: boolean): readonly FieldError[] {
  if (!isUsable(spec["selector"]))
    return [{ ...invalid(`${path}.selector`, spec["selector"], ""), message: `Invalid value: ${printed(spec["selector"])}` }];
  const template = withClaimVolumes(spec);
  const notes = mapAt(template, "metadata.annotations");
  const at = `${path}.template`;
  return [
    ...mismatch(spec, path),
    ...(leaveTemplate ? [] : podTemplate(template, at)),
    ...labels(mapAt(template, "metadata.labels"), `${at}.labels`),
    ...annotations(notes, `${at}.annotations`),
    ...podAnnotations(notes, `${at}.annotations`),
  ];
}

type Leniency = { readonly isNew: boolean; readonly leaveTemplate: boolean };

function statefulSpec(spec: Fields, path: string, { isNew, leaveTemplate }: Leniency): readonly FieldError[] {
  return [
    ...managementPolicy(spec, path),
    ...updateStrategy(spec, path),
    ...within(spec, "persistentVolumeClaimRetentionPolicy", path, retention),
    ...(isNew ? each(spec, "volumeClaimTemplates", path, (claim, at) => claimSpec(fieldsAt(claim, "spec"), `${at}.spec`)) : []),
    ...nonNegative(spec, "replicas", path),
    ...nonNegative(spec, "minReadySeconds", path),
    ...within(spec, "ordinals", path, (ordinals, at) => nonNegative(ordinals, "start", at)),
    ...(isNew ? optional(spec, "serviceName", path, dnsLabel) : []),
    ...selectorErrors(spec, path, "statefulset"),
    ...templateErrors(spec, path, leaveTemplate),
    ...alwaysRestarting(spec, path, "StatefulSet"),
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
const refusal =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

function update(object: KubeObject, live: KubeObject): readonly FieldError[] {
  const [spec, before] = [fieldsAt(object, "spec"), fieldsAt(live, "spec")];
  const leaveTemplate = statefulSpec(before, "", { isNew: false, leaveTemplate: false }).length > 0;
  const comparable = mayChange.reduce((fields, name) => withField(fields, name, before[name]), spec);
  return [
    ...coreMetaUpdate(object, live),
    ...statefulSpec(spec, "spec", { isNew: false, leaveTemplate }),
    ...(isSemanticallySame(comparable, before) ? [] : [forbidden("spec", refusal)]),
  ];
}

export const statefulSetRules: KindRules = {
  create: (object) => [
    ...coreMeta(object, { name: dnsLabel, namespaced: true }),
    ...statefulSpec(fieldsAt(object, "spec"), "spec", { isNew: true, leaveTemplate: false }),
  ],
  update,
  status: statusRules({
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
