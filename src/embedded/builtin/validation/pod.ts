import { fieldsAt, listAt, mapAt, numberAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { duplicate, forbidden, invalid, type FieldError } from "../../field-error.ts";
import { amountsAt } from "../pod-resources.ts";
import { each, has, inRange, named, oneOf, optional, optionalOneOf, text, within } from "./check.ts";
import { containers, ephemeralContainers, initContainers } from "./container.ts";
import { asGo } from "./go-value.ts";
import { annotations, checked, labels } from "./meta.ts";
import { dnsLabel, dnsSubdomain, qualifiedName } from "./names.ts";
import { dnsConfig, hostAliases, hostnameOverride, hostPorts } from "./pod-network.ts";
import { podResourceErrors, quantityValue } from "./resources.ts";
import { affinity, nodeSelectorLabels, spreadConstraints, tolerations } from "./scheduling.ts";
import { operatingSystem, ownUsers, podSecurity } from "./security.ts";
import { volumes } from "./volumes.ts";

// Models pkg/apis/core/validation/validation.go ValidatePodSpec, ValidatePodTemplateSpec and ValidatePodCreate

const mostSeconds = 2 ** 31 - 1;
const dnsPolicies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];

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

function resourceClaims(spec: Fields, path: string): readonly FieldError[] {
  const seen = new Set<string>();
  return each(spec, "resourceClaims", path, (claim, at) => {
    const name = text(claim, "name");
    const twice = seen.has(name);
    seen.add(name);
    const given = ["resourceClaimName", "resourceClaimTemplateName"].filter((field) => has(claim, field));
    const shown = asGo(claim, "core.PodResourceClaim");
    return [
      ...(twice && name !== "" ? [duplicate(`${at}.name`, name)] : named(claim, "name", at, dnsLabel)),
      ...(given.length > 1
        ? [invalid(at, shown, "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified")]
        : []),
      ...(given.length === 0 ? [invalid(at, shown, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`")] : []),
      ...given.flatMap((field) => checked(dnsSubdomain, `${at}.${field}`, text(claim, field))),
    ];
  });
}

/** Specs without a fault, which are written again and again with nothing but their surroundings changed. */
const sound = { pod: new WeakSet<Fields>(), template: new WeakSet<Fields>() };

export function podSpec(spec: Fields, path: string, isPod: boolean): readonly FieldError[] {
  const known = isPod ? sound.pod : sound.template;
  if (known.has(spec)) return [];
  const errors = podSpecErrors(spec, path, isPod);
  if (errors.length === 0) known.add(spec);
  return errors;
}

function podSpecErrors(spec: Fields, path: string, isPod: boolean): readonly FieldError[] {
  const mounted = volumes(spec, path);
  const claims = new Set(listAt(spec, "resourceClaims").map((claim) => text(claim, "name")));
  const surroundings = { spec, volumes: mounted.byName, claims };
  return [
    ...mounted.errors,
    ...resourceClaims(spec, path),
    ...containers(path, surroundings),
    ...initContainers(path, surroundings),
    ...ephemeralContainers(path, surroundings),
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
    ...ownUsers(spec, path),
    ...hostnameOverride(spec, path),
    ...optional(spec, "serviceAccountName", path, dnsSubdomain),
    ...optional(spec, "nodeName", path, dnsSubdomain),
    ...deadline(spec, path),
    ...optional(spec, "hostname", path, dnsLabel),
    ...optional(spec, "subdomain", path, dnsLabel),
    ...tolerations(spec, path),
    ...hostAliases(spec, path),
    ...optional(spec, "priorityClassName", path, dnsSubdomain),
    ...(has(spec, "runtimeClassName") ? checked(dnsSubdomain, `${path}.runtimeClassName`, text(spec, "runtimeClassName")) : []),
    ...optionalOneOf(spec, "preemptionPolicy", path, ["PreemptLowerPriority", "Never"]),
    ...overhead(spec, path),
    ...operatingSystem(spec, path),
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

/** Only Pods themselves are held to it: templates with such images were always taken. */
export function imagePadding(container: Fields, at: string): readonly FieldError[] {
  const image = text(container, "image");
  return image === image.trim() ? [] : [invalid(`${at}.image`, image, "must not have leading or trailing whitespace")];
}

function tokens(spec: Fields): readonly FieldError[] {
  if (text(spec, "serviceAccountName") !== "") return [];
  return each(spec, "volumes", "spec", (volume, at) =>
    within(volume, "projected", at, (projected, path) =>
      each(projected, "sources", path, (source, where) =>
        has(source, "serviceAccountToken")
          ? [forbidden(`${where}.serviceAccountToken`, "must not be specified when serviceAccountName is not set")]
          : [],
      ),
    ),
  );
}

/** What holds of a Pod at any time. */
export function podAndSpec(pod: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(pod, "spec");
  return [
    ...podAnnotations(mapAt(pod, "metadata.annotations"), "metadata.annotations"),
    ...podSpec(spec, "spec", true),
    ...tokens(spec),
    ...["containers", "initContainers"].flatMap((name) => each(spec, name, "spec", imagePadding)),
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
