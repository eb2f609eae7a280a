import { booleanAt, fieldsAt, listAt, mapAt, numberAt, stringsAt, type Fields, type KubeObject } from "../../../object/index.ts";
import { duplicate, forbidden, invalid, required, type FieldError } from "../../field-error.ts";
import { changedItems, isSemanticallySame, withField } from "../edit.ts";
import { each, has, inRange, oneOf, optional, optionalOneOf, text, within } from "./check.ts";
import { containers, ids, initContainers } from "./container.ts";
import { annotations, checked, labels } from "./meta.ts";
import { dnsLabel, dnsSubdomain, qualifiedName } from "./names.ts";
import { podResourceErrors, quantityValue } from "./resources.ts";
import { amountsAt } from "../pod-resources.ts";
import { affinity, nodeSelectorLabels, spreadConstraints, tolerations, tolerationUpdate } from "./scheduling.ts";
import { volumes } from "./volumes.ts";

// Models pkg/apis/core/validation/validation.go ValidatePodSpec, ValidatePodTemplateSpec, ValidatePodCreate and ValidatePodUpdate

const mostSeconds = 2 ** 31 - 1;
const dnsPolicies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];

function hostPorts(spec: Fields, path: string, isPod: boolean): readonly FieldError[] {
  if (!booleanAt(spec, "hostNetwork")) return [];
  return each(spec, "containers", path, (container, at) =>
    each(container, "ports", at, (port, where) => {
      const outside = numberAt(port, "hostPort", 0);
      const differs = (isPod || outside !== 0) && outside !== numberAt(port, "containerPort", 0);
      return differs ? [invalid(`${where}.hostPort`, outside, "must match `containerPort` when `hostNetwork` is true")] : [];
    }),
  );
}

function podSecurity(spec: Fields, path: string): readonly FieldError[] {
  return within(spec, "securityContext", path, (context, at) => [
    ...ids(context, at, ["fsGroup", "runAsUser", "runAsGroup"]),
    ...optionalOneOf(context, "fsGroupChangePolicy", at, ["Always", "OnRootMismatch"]),
  ]);
}

function dnsConfig(spec: Fields, path: string): readonly FieldError[] {
  if (spec["dnsPolicy"] !== "None") return [];
  if (!has(spec, "dnsConfig")) return [required(`${path}.dnsConfig`, "must provide `dnsConfig` when `dnsPolicy` is None")];
  const servers = stringsAt(spec, "dnsConfig.nameservers");
  return servers.length > 0
    ? []
    : [required(`${path}.dnsConfig.nameservers`, "must provide at least one DNS nameserver when `dnsPolicy` is None")];
}

function gates(spec: Fields, path: string): readonly FieldError[] {
  const seen = new Set<string>();
  return [
    ...each(spec, "readinessGates", path, (gate, at) => checked(qualifiedName, `${at}.conditionType`, text(gate, "conditionType"))),
    ...each(spec, "schedulingGates", path, (gate, at) => {
      const name = text(gate, "name");
      const twice = seen.has(name) ? [duplicate(at, name)] : [];
      seen.add(name);
      return [...checked(qualifiedName, at, name), ...twice];
    }),
  ];
}

function deadline(spec: Fields, path: string): readonly FieldError[] {
  const seconds = numberAt(spec, "activeDeadlineSeconds");
  return seconds === undefined ? [] : inRange(seconds, `${path}.activeDeadlineSeconds`, 1, mostSeconds);
}

function overhead(spec: Fields, path: string): readonly FieldError[] {
  return [...amountsAt(spec, "overhead")].flatMap(([name, amount]) => quantityValue(name, amount, `${path}.overhead.limits[${name}]`));
}

export function podSpec(spec: Fields, path: string, isPod: boolean): readonly FieldError[] {
  const mounted = volumes(spec, path);
  const claims = new Set(listAt(spec, "resourceClaims").map((claim) => text(claim, "name")));
  const surroundings = { spec, volumes: mounted.byName, claims };
  return [
    ...mounted.errors,
    ...containers(path, surroundings),
    ...initContainers(path, surroundings),
    ...podResourceErrors(spec, path),
    ...hostPorts(spec, path, isPod),
    ...oneOf(text(spec, "restartPolicy"), `${path}.restartPolicy`, ["Always", "OnFailure", "Never"]),
    ...oneOf(text(spec, "dnsPolicy"), `${path}.dnsPolicy`, dnsPolicies),
    ...nodeSelectorLabels(spec, path),
    ...podSecurity(spec, path),
    ...affinity(spec, path),
    ...dnsConfig(spec, path),
    ...gates(spec, path),
    ...spreadConstraints(spec, path),
    ...optional(spec, "serviceAccountName", path, dnsSubdomain),
    ...optional(spec, "nodeName", path, dnsSubdomain),
    ...deadline(spec, path),
    ...optional(spec, "hostname", path, dnsLabel),
    ...optional(spec, "subdomain", path, dnsLabel),
    ...tolerations(spec, path),
    ...optional(spec, "priorityClassName", path, dnsSubdomain),
    ...optional(spec, "runtimeClassName", path, dnsSubdomain),
    ...optionalOneOf(spec, "preemptionPolicy", path, ["PreemptLowerPriority", "Never"]),
    ...overhead(spec, path),
    ...within(spec, "os", path, (os, at) => oneOf(text(os, "name"), `${at}.name`, ["linux", "windows"])),
  ];
}

const deletionCost = "controller.kubernetes.io/pod-deletion-cost";

export function podAnnotations(values: Readonly<Record<string, string>>, path: string): readonly FieldError[] {
  const cost = values[deletionCost];
  if (cost === undefined || /^(?:0|[+-]?[1-9][0-9]{0,9})$/.test(cost)) return [];
  return [invalid(`${path}[${deletionCost}]`, cost, "must be a 32bit integer")];
}

export function podTemplate(template: Fields, path: string): readonly FieldError[] {
  const notes = mapAt(template, "metadata.annotations");
  const debugging = listAt(template, "spec.ephemeralContainers").length > 0;
  return [
    ...labels(mapAt(template, "metadata.labels"), `${path}.labels`),
    ...annotations(notes, `${path}.annotations`),
    ...podAnnotations(notes, `${path}.annotations`),
    ...podSpec(fieldsAt(template, "spec"), `${path}.spec`, false),
    ...(debugging ? [forbidden(`${path}.spec.ephemeralContainers`, "ephemeral containers not allowed in pod template")] : []),
  ];
}

function trimmedImages(spec: Fields): readonly FieldError[] {
  return ["containers", "initContainers"].flatMap((name) =>
    each(spec, name, "spec", (container, at) => {
      const image = text(container, "image");
      return image === image.trim() ? [] : [invalid(`${at}.image`, image, "must not have leading or trailing whitespace")];
    }),
  );
}

/** What holds of a Pod at any time. */
function podAndSpec(pod: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(pod, "spec");
  return [
    ...podAnnotations(mapAt(pod, "metadata.annotations"), "metadata.annotations"),
    ...podSpec(spec, "spec", true),
    ...trimmedImages(spec),
  ];
}

export function createdPod(pod: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(pod, "spec");
  const gated = listAt(spec, "schedulingGates").length > 0 && text(spec, "nodeName") !== "";
  return [
    ...podAndSpec(pod),
    ...(listAt(spec, "ephemeralContainers").length > 0 ? [forbidden("spec.ephemeralContainers", "cannot be set on create")] : []),
    ...(gated ? [forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared")] : []),
  ];
}

const updatable =
  "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

function withImagesOf(spec: Fields, live: Fields, name: string): Fields {
  const images = listAt(live, name).map((container) => container["image"]);
  let index = -1;
  return changedItems(spec, name, (container) => {
    index += 1;
    return withField(container, "image", images[index]);
  });
}

function deadlineUpdate(spec: Fields, live: Fields): readonly FieldError[] {
  const [after, before] = [numberAt(spec, "activeDeadlineSeconds"), numberAt(live, "activeDeadlineSeconds")];
  const path = "spec.activeDeadlineSeconds";
  if (after === undefined) return before === undefined ? [] : [invalid(path, null, "must not update from a positive integer to nil value")];
  const errors = inRange(after, path, 0, mostSeconds);
  if (errors.length > 0 || before === undefined || after <= before) return errors;
  return [invalid(path, after, "must be less than or equal to previous value")];
}

function newGates(spec: Fields, live: Fields): readonly FieldError[] {
  const known = new Set(listAt(live, "schedulingGates").map((gate) => text(gate, "name")));
  return each(spec, "schedulingGates", "spec", (gate, at) => {
    const name = text(gate, "name");
    return known.has(name) ? [] : [forbidden(`${at}.name`, `only deletion is allowed, but found new scheduling gate '${name}'`)];
  });
}

export function updatedPod(pod: KubeObject, live: KubeObject): readonly FieldError[] {
  const [spec, before] = [fieldsAt(pod, "spec"), fieldsAt(live, "spec")];
  const own = podAndSpec(pod);
  const resized = ["containers", "initContainers"].find((name) => listAt(spec, name).length !== listAt(before, name).length);
  if (resized) return [...own, forbidden(`spec.${resized}`, "pod updates may not add or remove containers")];
  const images = withImagesOf(withImagesOf(spec, before, "containers"), before, "initContainers");
  const mayChange = ["activeDeadlineSeconds", "schedulingGates", "tolerations"];
  const comparable = mayChange.reduce((fields, name) => withField(fields, name, before[name]), images);
  const limits = [...deadlineUpdate(spec, before), ...tolerationUpdate(spec, before, "spec"), ...newGates(spec, before)];
  if (isSemanticallySame(comparable, before)) return [...own, ...limits];
  return [...own, ...limits, forbidden("spec", `pod updates may not change fields other than ${updatable}`)];
}
