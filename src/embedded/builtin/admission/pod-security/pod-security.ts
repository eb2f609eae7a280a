import { fieldsAt, isFields, listAt, mapAt, stringAt, valueAt, type KubeObject } from "../../../../core/object/index.ts";
import { invalidError } from "../../../status-error.ts";
import {
  admissionForbidden,
  type AdmissionAttributes,
  type AdmissionContext,
  type AdmissionPlugin,
  type ValidatingPlugin,
} from "../plugin.ts";
import { evaluatePod, violationText } from "./evaluate-pod.ts";
import { isFullyPrivileged, isSameLevelVersion, levelVersionText, policyOf, strictness, type LevelVersion } from "./policy.ts";
import type { PodTemplate } from "./violation.ts";

// Models pod-security-admission admission/admission.go, with the default configuration: nothing is exempt.

const maxPodsToCheck = 3000;
const namespaces = "namespaces";
const pods = "pods";

/** Where the resources that make Pods have their template. */
const templates: Readonly<Record<string, string>> = {
  replicationcontrollers: "spec.template",
  podtemplates: "template",
  "replicasets.apps": "spec.template",
  "deployments.apps": "spec.template",
  "statefulsets.apps": "spec.template",
  "daemonsets.apps": "spec.template",
  "jobs.batch": "spec.template",
  "cronjobs.batch": "spec.jobTemplate.spec.template",
};

/** Holds Pods to what the labels of their namespace ask for. */
const validatePodSecurity: ValidatingPlugin = (attributes, context) => {
  if (attributes.operation === "DELETE") return;
  if (attributes.resource.key === namespaces) return validateNamespace(attributes, context);
  if (attributes.resource.key === pods) return validatePod(attributes, context);
  warnOfTemplate(attributes, context);
};

export const podSecurity: AdmissionPlugin = {
  name: "PodSecurity",
  resources: [namespaces, pods, ...Object.keys(templates)],
  // All other subresources of a Pod leave its spec alone.
  subresources: ["ephemeralcontainers", "resize"],
  validate: validatePodSecurity,
};

function validateNamespace(attributes: AdmissionAttributes, context: AdmissionContext): void {
  const { operation, resource, object, live, warn } = attributes;
  const next = policyOf(mapAt(object, "metadata.labels"));
  const before = policyOf(mapAt(live, "metadata.labels"));
  const isNew = operation === "CREATE" || JSON.stringify(next.errors) !== JSON.stringify(before.errors);
  if (next.errors.length > 0 && isNew) throw invalidError(resource, object.metadata.name, next.errors);
  if (operation === "CREATE" || warn === undefined || !isStricter(next.policy.enforce, before.policy.enforce)) return;
  for (const warning of warningsOfPods(object.metadata.name, next.policy.enforce, context)) warn(warning);
}

function isStricter(next: LevelVersion, before: LevelVersion): boolean {
  if (isSameLevelVersion(next, before) || next.level === "privileged") return false;
  return next.version !== before.version || strictness(next.level) > strictness(before.level);
}

function validatePod(attributes: AdmissionAttributes, context: AdmissionContext): void {
  const { operation, object, live, warn } = attributes;
  const { policy } = policyFor(attributes, context);
  if (isFullyPrivileged(policy) || (operation === "UPDATE" && !changesImages(object, live))) return;
  const { enforce } = policy;
  const pod = { metadata: object.metadata, spec: fieldsAt(object, "spec") };
  const violations = evaluatePod(enforce, pod);
  if (violations.length > 0)
    throw admissionForbidden(attributes, `violates PodSecurity ${JSON.stringify(levelVersionText(enforce))}: ${violationText(violations)}`);
  warnOf(policy.warn, pod, warn);
}

function warnOfTemplate(attributes: AdmissionAttributes, context: AdmissionContext): void {
  const { resource, subresource = "", object, warn } = attributes;
  const template = valueAt(object, templates[resource.key] ?? "");
  if (subresource !== "" || !isFields(template)) return;
  const metadata = { annotations: mapAt(template, "metadata.annotations") };
  warnOf(policyFor(attributes, context).policy.warn, { metadata, spec: fieldsAt(template, "spec") }, warn);
}

function warnOf(level: LevelVersion, pod: PodTemplate, warn: AdmissionAttributes["warn"]): void {
  if (warn === undefined) return;
  const violations = evaluatePod(level, pod);
  if (violations.length > 0) warn(`would violate PodSecurity ${JSON.stringify(levelVersionText(level))}: ${violationText(violations)}`);
}

function policyFor({ object }: AdmissionAttributes, context: AdmissionContext): ReturnType<typeof policyOf> {
  return policyOf(mapAt(context.read(namespaces, "", object.metadata.namespace ?? ""), "metadata.labels"));
}

function imagesOf(pod: KubeObject | undefined, list: string): readonly string[] {
  return listAt(pod, `spec.${list}`).map((each) => stringAt(each, "image", ""));
}

/** Only images and ephemeral containers of a Pod can change in a way that matters. */
function changesImages(pod: KubeObject, live: KubeObject | undefined): boolean {
  const differs = (list: string) => JSON.stringify(imagesOf(pod, list)) !== JSON.stringify(imagesOf(live, list));
  if (differs("containers") || differs("initContainers")) return true;
  const before = new Map(listAt(live, "spec.ephemeralContainers").map((each) => [each["name"], stringAt(each, "image", "")]));
  return listAt(pod, "spec.ephemeralContainers").some((each) => before.get(each["name"]) !== stringAt(each, "image", ""));
}

/** What is wrong with the Pods that are there already, those alike together. */
function warningsOfPods(namespace: string, enforce: LevelVersion, context: AdmissionContext): readonly string[] {
  const all = context.list(pods, namespace);
  const podsByReason = new Map<string, string[]>();
  for (const pod of onePerController(all).slice(0, maxPodsToCheck)) {
    const violations = evaluatePod(enforce, { metadata: pod.metadata, spec: fieldsAt(pod, "spec") });
    const reason = violations.map((violation) => violation.reason).join(", ");
    if (violations.length > 0) podsByReason.set(reason, [...(podsByReason.get(reason) ?? []), pod.metadata.name]);
  }
  const tooMany = `new PodSecurity enforce level only checked against the first ${maxPodsToCheck} of ${all.length} existing pods`;
  const [space, level] = [JSON.stringify(namespace), JSON.stringify(levelVersionText(enforce))];
  return [
    ...(all.length > maxPodsToCheck ? [tooMany] : []),
    ...(podsByReason.size > 0 ? [`existing pods in namespace ${space} violate the new PodSecurity enforce level ${level}`] : []),
    ...[...podsByReason].map(([reason, names]) => `${countedNames(names)}: ${reason}`).sort(),
  ];
}

/** The first Pod of each controller comes before the others of that controller. */
function onePerController(all: readonly KubeObject[]): readonly KubeObject[] {
  const seen = new Set<string>();
  const [first, others]: [KubeObject[], KubeObject[]] = [[], []];
  for (const pod of all) {
    const uid = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
    (uid !== undefined && seen.has(uid) ? others : first).push(pod);
    if (uid !== undefined) seen.add(uid);
  }
  return [...first, ...others];
}

function countedNames(names: readonly string[]): string {
  const [first] = [...names].sort();
  if (names.length === 1) return first!;
  return names.length === 2 ? `${first} (and 1 other pod)` : `${first} (and ${names.length - 1} other pods)`;
}
