import { fieldsAt, listAt, mapAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { changedItems, filled } from "../field-edits.ts";
import { claimLimitViolations, podLimitViolations } from "./limit-violations.ts";
import {
  admissionForbidden,
  aggregateMessages,
  type AdmissionAttributes,
  type AdmissionContext,
  type MutatingPlugin,
  type ValidatingPlugin,
} from "./plugin.ts";

// Models plugin/pkg/admission/limitranger/admission.go

const annotation = "kubernetes.io/limit-ranger";

function rangesFor({ metadata }: KubeObject, context: AdmissionContext): readonly KubeObject[] {
  return context.list("limitranges", metadata.namespace ?? "");
}

/** A Pod is looked at when it is created and when it is resized. */
function isPodWrite({ operation, resource, subresource = "" }: AdmissionAttributes): boolean {
  return resource.key === "pods" && (operation === "CREATE" || subresource === "resize");
}

/** Sets the missing requests and limits of a new or resized Pod's containers, and lists them in an annotation. */
export const admitLimitRanger: MutatingPlugin = (pod, attributes, context) => {
  if (!isPodWrite(attributes)) return pod;
  return rangesFor(pod, context).reduce(withDefaults, pod);
};

function withDefaults(pod: KubeObject, range: KubeObject): KubeObject {
  const ofContainers = listAt(range, "spec.limits").filter(({ type }) => type === "Container");
  const limits: Fields = Object.assign({}, ...ofContainers.map((item) => fieldsAt(item, "default")));
  const requests: Fields = Object.assign({}, ...ofContainers.map((item) => fieldsAt(item, "defaultRequest")));
  const defaulted: string[] = [];
  const fill = (title: string) => (container: Fields) => {
    const { resources, added } = withResources(fieldsAt(container, "resources"), requests, limits);
    defaulted.push(...added.map((what) => `${what} for ${title} ${stringAt(container, "name", "")}`));
    return added.length === 0 ? container : { ...container, resources };
  };
  const running = changedItems(fieldsAt(pod, "spec"), "containers", fill("container"));
  const spec = changedItems(running, "initContainers", fill("init container"));
  if (defaulted.length === 0) return pod;
  const annotations = { ...mapAt(pod, "metadata.annotations"), [annotation]: `LimitRanger plugin set: ${defaulted.join("; ")}` };
  return { ...pod, metadata: { ...pod.metadata, annotations }, spec };
}

function withResources(resources: Fields, requests: Fields, limits: Fields): { resources: Fields; added: readonly string[] } {
  const own = { requests: fieldsAt(resources, "requests"), limits: fieldsAt(resources, "limits") };
  const added = [...lacking("request", own.requests, requests), ...lacking("limit", own.limits, limits)];
  return { resources: { ...resources, requests: filled(own.requests, requests), limits: filled(own.limits, limits) }, added };
}

function lacking(what: string, own: Fields, defaults: Fields): string[] {
  const names = Object.keys(defaults).filter((name) => own[name] === undefined);
  return names.length === 0 ? [] : [`${names.sort().join(", ")} ${what}`];
}

/** Rejects a new or resized Pod or claim that violates a LimitRange of its namespace. */
export const validateLimitRanges: ValidatingPlugin = (attributes, context) => {
  const { operation, resource, object, live } = attributes;
  const isPod = resource.key === "pods";
  if (operation === "DELETE" || (isPod && !isPodWrite(attributes)) || live?.metadata.deletionTimestamp !== undefined) return;
  const violations = isPod ? podLimitViolations : claimLimitViolations;
  for (const range of rangesFor(object, context)) forbidViolations(attributes, violations(object, range));
};

function forbidViolations(attributes: Parameters<ValidatingPlugin>[0], broken: readonly string[]): void {
  if (broken.length > 0) throw admissionForbidden(attributes, aggregateMessages(broken));
}
