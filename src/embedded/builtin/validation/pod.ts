import { fieldsAt, listAt, mapAt, numberAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldDuplicate, fieldForbidden, fieldInvalid, type FieldError } from "../../field-error.ts";
import { resourceQuantitiesAt } from "../pod-resources.ts";
import {
  checkEach,
  hasField,
  checkInRange,
  checkRequired,
  checkOneOf,
  checkOptional,
  checkOptionalOneOf,
  stringField,
  checkNestedObject,
} from "./field-checks.ts";
import { validateContainers, validateEphemeralContainers, validateInitContainers } from "./container.ts";
import { asGo } from "./go-value.ts";
import { validateAnnotations, formatErrors, validateLabels } from "./object-meta.ts";
import { checkDnsLabel, checkDnsSubdomain, checkQualifiedName } from "./name-formats.ts";
import { validateAnnotatedProfiles, validatePodAnnotations } from "./pod-annotations.ts";
import { validateDnsConfig, validateHostAliases, validateHostnameOverride, validateHostPorts } from "./pod-network.ts";
import { podResourceErrors, validateResourceQuantity } from "./resource-requirements.ts";
import { validateAffinity, validateNodeSelectorLabels, validateTopologySpreadConstraints, validateTolerations } from "./scheduling.ts";
import { validateOperatingSystem, validateHostUsers, validatePodSecurityContext } from "./security-context.ts";
import { validateVolumes } from "./volumes.ts";

// Models pkg/apis/core/validation/validation.go ValidatePodSpec, ValidatePodTemplateSpec and ValidatePodCreate

const mostSeconds = 2 ** 31 - 1;
const dnsPolicies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];

function gates(spec: Fields, path: string): readonly FieldError[] {
  const seen = new Set<string>();
  return [
    ...checkEach(spec, "readinessGates", path, (gate, at) =>
      formatErrors(checkQualifiedName, `${at}.conditionType`, stringField(gate, "conditionType")),
    ),
    ...checkEach(spec, "schedulingGates", path, (gate, at) => {
      const name = stringField(gate, "name");
      const twice = seen.has(name) ? [fieldDuplicate(at, name)] : [];
      seen.add(name);
      return [...formatErrors(checkQualifiedName, at, name), ...twice];
    }),
  ];
}

function deadline(spec: Fields, path: string): readonly FieldError[] {
  const seconds = numberAt(spec, "activeDeadlineSeconds");
  return seconds === undefined ? [] : checkInRange(seconds, `${path}.activeDeadlineSeconds`, 1, mostSeconds);
}

function overhead(spec: Fields, path: string): readonly FieldError[] {
  return [...resourceQuantitiesAt(spec, "overhead")].flatMap(([name, amount]) =>
    validateResourceQuantity(name, amount, `${path}.overhead.limits[${name}]`),
  );
}

function resourceClaims(spec: Fields, path: string): readonly FieldError[] {
  const seen = new Set<string>();
  return checkEach(spec, "resourceClaims", path, (claim, at) => {
    const name = stringField(claim, "name");
    const twice = seen.has(name);
    seen.add(name);
    const given = ["resourceClaimName", "resourceClaimTemplateName"].filter((field) => hasField(claim, field));
    const shown = asGo(claim, "core.PodResourceClaim");
    return [
      ...(twice && name !== "" ? [fieldDuplicate(`${at}.name`, name)] : checkRequired(claim, "name", at, checkDnsLabel)),
      ...(given.length > 1
        ? [fieldInvalid(at, shown, "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified")]
        : []),
      ...(given.length === 0 ? [fieldInvalid(at, shown, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`")] : []),
      ...given.flatMap((field) => formatErrors(checkDnsSubdomain, `${at}.${field}`, stringField(claim, field))),
    ];
  });
}

/** Valid specs, which are written again unchanged when other parts of their object change. */
const validSpecs = { pod: new WeakSet<Fields>(), template: new WeakSet<Fields>() };

function validatePodSpec(spec: Fields, path: string, isPod: boolean): readonly FieldError[] {
  const known = isPod ? validSpecs.pod : validSpecs.template;
  if (known.has(spec)) return [];
  const errors = podSpecErrors(spec, path, isPod);
  if (errors.length === 0) known.add(spec);
  return errors;
}

function podSpecErrors(spec: Fields, path: string, isPod: boolean): readonly FieldError[] {
  const mounted = validateVolumes(spec, path);
  const claims = new Set(listAt(spec, "resourceClaims").map((claim) => stringField(claim, "name")));
  const context = { spec, volumes: mounted.byName, claims };
  return [
    ...mounted.errors,
    ...resourceClaims(spec, path),
    ...validateContainers(path, context),
    ...validateInitContainers(path, context),
    ...validateEphemeralContainers(path, context),
    ...podResourceErrors(spec, path),
    ...validateHostPorts(spec, path, isPod),
    ...checkOneOf(stringField(spec, "restartPolicy"), `${path}.restartPolicy`, ["Always", "OnFailure", "Never"]),
    ...checkOneOf(stringField(spec, "dnsPolicy"), `${path}.dnsPolicy`, dnsPolicies),
    ...validateNodeSelectorLabels(spec, path),
    ...validatePodSecurityContext(spec, path),
    ...validateAffinity(spec, path),
    ...validateDnsConfig(spec, path),
    ...gates(spec, path),
    ...validateTopologySpreadConstraints(spec, path),
    ...validateHostUsers(spec, path),
    ...validateHostnameOverride(spec, path),
    ...checkOptional(spec, "serviceAccountName", path, checkDnsSubdomain),
    ...checkOptional(spec, "nodeName", path, checkDnsSubdomain),
    ...deadline(spec, path),
    ...checkOptional(spec, "hostname", path, checkDnsLabel),
    ...checkOptional(spec, "subdomain", path, checkDnsLabel),
    ...validateTolerations(spec, path),
    ...validateHostAliases(spec, path),
    ...checkOptional(spec, "priorityClassName", path, checkDnsSubdomain),
    ...(hasField(spec, "runtimeClassName")
      ? formatErrors(checkDnsSubdomain, `${path}.runtimeClassName`, stringField(spec, "runtimeClassName"))
      : []),
    ...checkOptionalOneOf(spec, "preemptionPolicy", path, ["PreemptLowerPriority", "Never"]),
    ...overhead(spec, path),
    ...validateOperatingSystem(spec, path),
  ];
}

export function validatePodTemplate(template: Fields, path: string): readonly FieldError[] {
  const notes = mapAt(template, "metadata.annotations");
  const spec = fieldsAt(template, "spec");
  const debugging = listAt(template, "spec.ephemeralContainers").length > 0;
  return [
    ...validateLabels(mapAt(template, "metadata.labels"), `${path}.labels`),
    ...validateAnnotations(notes, `${path}.annotations`),
    ...validatePodAnnotations(notes, spec, `${path}.annotations`),
    ...validatePodSpec(spec, `${path}.spec`, false),
    ...validateAnnotatedProfiles(notes, spec, `${path}.spec`),
    ...(debugging ? [fieldForbidden(`${path}.spec.ephemeralContainers`, "ephemeral containers not allowed in pod template")] : []),
  ];
}

/** Only Pods are checked: templates with such images have always been accepted. */
export function validateImagePadding(container: Fields, at: string): readonly FieldError[] {
  const image = stringField(container, "image");
  return image === image.trim() ? [] : [fieldInvalid(`${at}.image`, image, "must not have leading or trailing whitespace")];
}

function tokens(spec: Fields): readonly FieldError[] {
  if (stringField(spec, "serviceAccountName") !== "") return [];
  return checkEach(spec, "volumes", "spec", (volume, at) =>
    checkNestedObject(volume, "projected", at, (projected, path) =>
      checkEach(projected, "sources", path, (source, where) =>
        hasField(source, "serviceAccountToken")
          ? [fieldForbidden(`${where}.serviceAccountToken`, "must not be specified when serviceAccountName is not set")]
          : [],
      ),
    ),
  );
}

/** Validates the metadata and the spec of a Pod, on create and on update. */
export function validatePodMetaAndSpec(pod: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(pod, "spec");
  return [
    ...validatePodAnnotations(mapAt(pod, "metadata.annotations"), spec, "metadata.annotations"),
    ...validatePodSpec(spec, "spec", true),
    ...tokens(spec),
    ...["containers", "initContainers"].flatMap((name) => checkEach(spec, name, "spec", validateImagePadding)),
  ];
}

export function validatePodCreate(pod: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(pod, "spec");
  const gated = listAt(spec, "schedulingGates").length > 0 && stringField(spec, "nodeName") !== "";
  return [
    ...validatePodMetaAndSpec(pod),
    ...(listAt(spec, "ephemeralContainers").length > 0 ? [fieldForbidden("spec.ephemeralContainers", "cannot be set on create")] : []),
    ...(gated ? [fieldForbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared")] : []),
    ...validateAnnotatedProfiles(mapAt(pod, "metadata.annotations"), spec, "spec"),
  ];
}
