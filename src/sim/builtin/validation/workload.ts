import { fieldsAt, listAt, mapAt, numberAt, stringAt, type Fields, type KubeObject } from "../../../object/index.ts";
import { forbidden, invalid, notSupported, required, type FieldError } from "../../field-error.ts";
import { isSemanticallySame, withField, without } from "../edit.ts";
import { has, nonNegative, optional, text, within } from "./check.ts";
import { claimSpec } from "./claim.ts";
import { checked, labelSelector, notNegative, unchanged } from "./meta.ts";
import { dnsLabel, dnsSubdomain, percentage } from "./names.ts";
import { podTemplate } from "./pod.ts";
import { selects } from "./selector.ts";

// Models pkg/apis/apps/validation/validation.go

/** An integer or a percentage that may not be negative. */
export function intOrPercent(value: unknown, path: string): readonly FieldError[] {
  if (typeof value === "string") return percentage(value).map((problem) => invalid(path, value, problem));
  return typeof value === "number" && value < 0 ? [invalid(path, value, notNegative)] : [];
}

export function atMostAll(value: unknown, path: string): readonly FieldError[] {
  const percent = typeof value === "string" && /^[0-9]+%$/.test(value) ? Number.parseInt(value, 10) : 0;
  return percent > 100 ? [invalid(path, value, "must not be greater than 100%")] : [];
}

const isNone = (value: unknown): boolean => value === 0 || (typeof value === "string" && /^0+%$/.test(value));

/** `owner` is how the server's sentence calls the kind. */
function selectorErrors(spec: Fields, path: string, owner: string): readonly FieldError[] {
  if (!has(spec, "selector")) return [required(`${path}.selector`)];
  const selector = fieldsAt(spec, "selector");
  const empty = Object.keys(mapAt(selector, "matchLabels")).length + listAt(selector, "matchExpressions").length === 0;
  const errors = labelSelector(selector, `${path}.selector`);
  return empty ? [...errors, invalid(`${path}.selector`, selector, `empty selector is invalid for ${owner}`)] : errors;
}

export function mismatch(spec: Fields, path: string): readonly FieldError[] {
  const labels = mapAt(spec, "template.metadata.labels");
  const shown = Object.keys(labels).length === 0 ? null : Object.fromEntries(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  if (!has(spec, "selector") || selects(spec["selector"], labels)) return [];
  return [invalid(`${path}.template.metadata.labels`, shown, "`selector` does not match template `labels`")];
}

function alwaysRestarting(spec: Fields, path: string, kind: string): readonly FieldError[] {
  const policy = stringAt(spec, "template.spec.restartPolicy", "");
  const timed = has(fieldsAt(spec, "template.spec"), "activeDeadlineSeconds");
  return [
    ...(policy === "Always" ? [] : [notSupported(`${path}.template.spec.restartPolicy`, policy, ["Always"])]),
    ...(timed ? [forbidden(`${path}.template.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`)] : []),
  ];
}

function templateErrors(spec: Fields, path: string, kind: string): readonly FieldError[] {
  return [...mismatch(spec, path), ...podTemplate(fieldsAt(spec, "template"), `${path}.template`), ...alwaysRestarting(spec, path, kind)];
}

function deploymentStrategy(strategy: Fields, path: string): readonly FieldError[] {
  const type = text(strategy, "type");
  if (type === "Recreate") return has(strategy, "rollingUpdate") ? [forbidden(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")] : [];
  if (type !== "RollingUpdate") return [notSupported(path, strategy, ["Recreate", "RollingUpdate"])];
  return within(strategy, "rollingUpdate", path, (rolling, at) => {
    const stuck = isNone(rolling["maxUnavailable"]) && isNone(rolling["maxSurge"]);
    return [
      ...intOrPercent(rolling["maxUnavailable"], `${at}.maxUnavailable`),
      ...intOrPercent(rolling["maxSurge"], `${at}.maxSurge`),
      ...(stuck ? [invalid(`${at}.maxUnavailable`, rolling["maxUnavailable"], "may not be 0 when `maxSurge` is 0")] : []),
      ...atMostAll(rolling["maxUnavailable"], `${at}.maxUnavailable`),
    ];
  });
}

export function deployment(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const [deadline, ready] = [numberAt(spec, "progressDeadlineSeconds"), numberAt(spec, "minReadySeconds", 0)];
  const early = deadline !== undefined && deadline <= ready;
  return [
    ...nonNegative(spec, "replicas", "spec"),
    ...selectorErrors(spec, "spec", "deployment"),
    ...templateErrors(spec, "spec", "ReplicaSet"),
    ...deploymentStrategy(fieldsAt(spec, "strategy"), "spec.strategy"),
    ...nonNegative(spec, "minReadySeconds", "spec"),
    ...nonNegative(spec, "revisionHistoryLimit", "spec"),
    ...nonNegative(spec, "progressDeadlineSeconds", "spec"),
    ...(early ? [invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds")] : []),
  ];
}

export function replicaSet(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  return [
    ...nonNegative(spec, "replicas", "spec"),
    ...nonNegative(spec, "minReadySeconds", "spec"),
    ...selectorErrors(spec, "spec", "deployment"),
    ...templateErrors(spec, "spec", "ReplicaSet"),
  ];
}

export function sameSelector(object: KubeObject, live: KubeObject): readonly FieldError[] {
  return unchanged(fieldsAt(object, "spec")["selector"], fieldsAt(live, "spec")["selector"], "spec.selector");
}

function daemonSetStrategy(strategy: Fields, path: string): readonly FieldError[] {
  const type = text(strategy, "type");
  if (type === "OnDelete") return [];
  if (type !== "RollingUpdate") return [notSupported(path, strategy, ["RollingUpdate", "OnDelete"])];
  return within(strategy, "rollingUpdate", path, (rolling, at) => {
    const [unavailable, surge] = [rolling["maxUnavailable"], rolling["maxSurge"]];
    return [
      ...intOrPercent(unavailable, `${at}.maxUnavailable`),
      ...intOrPercent(surge, `${at}.maxSurge`),
      ...atMostAll(unavailable, `${at}.maxUnavailable`),
      ...atMostAll(surge, `${at}.maxSurge`),
      ...(!isNone(unavailable) && !isNone(surge) ? [invalid(`${at}.maxSurge`, surge, "may not be set when maxUnavailable is non-zero")] : []),
      ...(isNone(unavailable) && isNone(surge) ? [required(`${at}.maxUnavailable`, "cannot be 0 when maxSurge is 0")] : []),
    ];
  });
}

export function daemonSet(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const selector = selectorErrors(spec, "spec", "daemonset").filter((error) => error.reason !== "FieldValueRequired");
  return [
    ...selector.filter((error) => !error.message.includes("empty selector")),
    ...mismatch(spec, "spec"),
    ...selector.filter((error) => error.message.includes("empty selector")),
    ...podTemplate(fieldsAt(spec, "template"), "spec.template"),
    ...alwaysRestarting(spec, "spec", "DaemonSet"),
    ...nonNegative(spec, "minReadySeconds", "spec"),
    ...daemonSetStrategy(fieldsAt(spec, "updateStrategy"), "spec.updateStrategy"),
    ...nonNegative(spec, "revisionHistoryLimit", "spec"),
  ];
}

/** The template as its Pods will have it: a volume for each claim that is made for them. */
function withClaimVolumes(spec: Fields): Fields {
  const names = listAt(spec, "volumeClaimTemplates").map((claim) => stringAt(claim, "metadata.name", ""));
  const template = fieldsAt(spec, "template");
  const pod = without(fieldsAt(template, "spec"), "hostname", "subdomain");
  const made = names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const own = listAt(pod, "volumes").filter((volume) => !names.includes(text(volume, "name")));
  const volumes = [...made, ...own];
  return { ...spec, template: { ...template, spec: volumes.length > 0 ? { ...pod, volumes } : pod } };
}

function statefulStrategy(spec: Fields, path: string): readonly FieldError[] {
  const strategy = fieldsAt(spec, "updateStrategy");
  const type = text(strategy, "type");
  if (type === "") return [required(`${path}.updateStrategy`)];
  if (type === "OnDelete") {
    const rolling = strategy["rollingUpdate"];
    return rolling === undefined ? [] : [invalid(`${path}.updateStrategy.rollingUpdate`, rolling, "only allowed for updateStrategy 'RollingUpdate'")];
  }
  if (type !== "RollingUpdate") return [invalid(`${path}.updateStrategy`, strategy, "must be 'RollingUpdate' or 'OnDelete'")];
  return nonNegative(fieldsAt(strategy, "rollingUpdate"), "partition", `${path}.updateStrategy.rollingUpdate`);
}

function retention(spec: Fields, path: string): readonly FieldError[] {
  const at = `${path}.persistentVolumeClaimRetentionPolicy`;
  const policy = fieldsAt(spec, "persistentVolumeClaimRetentionPolicy");
  return ["whenDeleted", "whenScaled"].flatMap((name) =>
    ["Retain", "Delete"].includes(text(policy, name)) ? [] : [notSupported(`${at}.${name}`, text(policy, name), ["Retain", "Delete"])],
  );
}

function statefulSpec(spec: Fields, path: string, isNew: boolean): readonly FieldError[] {
  const policy = text(spec, "podManagementPolicy");
  const claims = listAt(spec, "volumeClaimTemplates").flatMap((claim, index) => {
    const at = `${path}.volumeClaimTemplates[${index}]`;
    return [...checked(dnsSubdomain, `${at}.metadata.name`, stringAt(claim, "metadata.name", "")), ...claimSpec(fieldsAt(claim, "spec"), `${at}.spec`)];
  });
  return [
    ...(["OrderedReady", "Parallel"].includes(policy) ? [] : [invalid(`${path}.podManagementPolicy`, policy, "must be 'OrderedReady' or 'Parallel'")]),
    ...statefulStrategy(spec, path),
    ...retention(spec, path),
    ...(isNew ? claims : []),
    ...nonNegative(spec, "replicas", path),
    ...nonNegative(spec, "minReadySeconds", path),
    ...(isNew ? optional(spec, "serviceName", path, dnsLabel) : []),
    ...selectorErrors(spec, path, "statefulset"),
    ...templateErrors(withClaimVolumes(spec), path, "StatefulSet"),
  ];
}

export function statefulSet(object: KubeObject): readonly FieldError[] {
  return statefulSpec(fieldsAt(object, "spec"), "spec", true);
}

const mayChange = ["replicas", "ordinals", "template", "updateStrategy", "revisionHistoryLimit", "persistentVolumeClaimRetentionPolicy", "minReadySeconds"];
const statefulRefusal =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

export function statefulSetUpdate(object: KubeObject, live: KubeObject): readonly FieldError[] {
  const [spec, before] = [fieldsAt(object, "spec"), fieldsAt(live, "spec")];
  const comparable = mayChange.reduce((fields, name) => withField(fields, name, before[name]), spec);
  const refused = isSemanticallySame(comparable, before) ? [] : [forbidden("spec", statefulRefusal)];
  return [...statefulSpec(spec, "spec", false), ...refused];
}

/** Models pkg/apis/core/validation/validation.go ValidateReplicationController */
export function replicationController(object: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(object, "spec");
  const selector = mapAt(spec, "selector");
  const labels = mapAt(spec, "template.metadata.labels");
  if (!has(spec, "template")) return [...nonNegative(spec, "replicas", "spec"), ...(Object.keys(selector).length === 0 ? [required("spec.selector")] : []), required("spec.template")];
  const matches = Object.entries(selector).every(([key, value]) => labels[key] === value);
  return [
    ...nonNegative(spec, "replicas", "spec"),
    ...(Object.keys(selector).length === 0 ? [required("spec.selector")] : []),
    ...nonNegative(spec, "minReadySeconds", "spec"),
    ...(matches ? [] : [invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`")]),
    ...podTemplate(fieldsAt(spec, "template"), "spec.template"),
    ...alwaysRestarting(spec, "spec", "ReplicationController"),
  ];
}
