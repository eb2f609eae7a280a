import { fieldsAt, listAt, mapAt, numberAt, stringAt, stringsAt, type Fields, type ObjectMeta } from "../../../core/object/index.ts";
import { isUnset } from "../field-edits.ts";
import { ipWarnings } from "./address.ts";
import { fractionWarnings } from "./fraction.ts";
import { containerWarnings, type ContainerAt } from "./container.ts";
import { nodeLabelsWarnings, nodeLabelWarning, nodeSelectorTermWarnings } from "./node-label.ts";
import { portWarnings } from "./port.ts";
import { deprecatedVolumeWarnings, overlappingPathWarnings } from "./volume.ts";

// Models pkg/api/pod/warnings.go

/** A Pod or the template of one. */
type PodOrTemplate = { readonly metadata?: Pick<ObjectMeta, "annotations">; readonly spec?: unknown };

const deprecatedAnnotations = [
  ["scheduler.alpha.kubernetes.io/critical-pod", 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ["security.alpha.kubernetes.io/sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
  ["security.alpha.kubernetes.io/unsafe-sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
] as const;

/** What is odd about a Pod. */
export function podWarnings(pod: PodOrTemplate): readonly string[] {
  return warningsOf(pod, "");
}

/** What is odd about a template of Pods. `path` names it. */
export function podTemplateWarnings(template: PodOrTemplate, path: string): readonly string[] {
  return warningsOf(template, `${path}.`);
}

function warningsOf(pod: PodOrTemplate, prefix: string): readonly string[] {
  const spec = fieldsAt(pod, "spec");
  const annotations = mapAt(pod, "metadata.annotations");
  const at = `${prefix}spec`;
  const annotation = (key: string) => `${prefix}metadata.annotations[${key}]`;
  const volumes = listAt(spec, "volumes");
  const containers = containersWithPaths(spec, at);
  const isTemplate = prefix !== "";
  return [
    ...nodeLabelsWarnings(mapAt(spec, "nodeSelector"), (key) => `${at}.nodeSelector[${key}]`),
    ...nodeAffinityWarnings(fieldsAt(spec, "affinity.nodeAffinity"), `${at}.affinity.nodeAffinity`),
    ...listAt(spec, "topologySpreadConstraints").flatMap((constraint, index) =>
      spreadWarnings(constraint, `${at}.topologySpreadConstraints[${index}]`),
    ),
    ...deprecatedAnnotations.filter(([key]) => key in annotations).map(([key, reason]) => `${annotation(key)}: ${reason}`),
    ...deprecatedVolumeWarnings(volumes, `${at}.volumes`),
    ...overlappingPathWarnings(volumes),
    ...duplicates(listAt(spec, "hostAliases"), "ip", `${at}.hostAliases`),
    ...duplicates(listAt(spec, "imagePullSecrets"), "name", `${at}.imagePullSecrets`),
    ...listAt(spec, "imagePullSecrets").flatMap((secret, index) =>
      stringAt(secret, "name", "") === "" ? [`${at}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
    ...["memory", "ephemeral-storage"].flatMap((name) => fractionWarnings(spec, `${at}.overhead`, "overhead", name)),
    ...(seccomp in annotations && isUnset(fieldsAt(spec, "securityContext")["seccompProfile"])
      ? [`${annotation(seccomp)}: non-functional in v1.27+; use the "seccompProfile" field instead`]
      : []),
    ...containers.flatMap((container) => containerWarnings(container, { annotations, annotation, spec, isTemplate })),
    ...portWarnings(containers),
    ...(numberAt(spec, "terminationGracePeriodSeconds", 0) < 0
      ? [`${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...["podAffinity", "podAntiAffinity"].flatMap((name) =>
      podAffinityWarnings(fieldsAt(spec, `affinity.${name}`), `${at}.affinity.${name}`),
    ),
    ...stringsAt(spec, "dnsConfig.nameservers").flatMap((server, index) => ipWarnings(`${at}.dnsConfig.nameservers[${index}]`, server)),
    ...listAt(spec, "hostAliases").flatMap((alias, index) => ipWarnings(`${at}.hostAliases[${index}].ip`, stringAt(alias, "ip", ""))),
  ];
}

const seccomp = "seccomp.security.alpha.kubernetes.io/pod";

/** Init, usual and ephemeral containers. */
function containersWithPaths(spec: Fields, path: string): readonly ContainerAt[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    listAt(spec, list).map((container, index) => ({ container, path: `${path}.${list}[${index}]` })),
  );
}

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

function nodeAffinityWarnings(affinity: Fields, path: string): readonly string[] {
  return [
    ...listAt(affinity, `${required}.nodeSelectorTerms`).flatMap((term, index) =>
      nodeSelectorTermWarnings(term, `${path}.${required}.nodeSelectorTerms[${index}]`),
    ),
    ...listAt(affinity, preferred).flatMap((term, index) =>
      nodeSelectorTermWarnings(fieldsAt(term, "preference"), `${path}.${preferred}[${index}].preference`, { isPreferred: true }),
    ),
  ];
}

function spreadWarnings(constraint: Fields, path: string): readonly string[] {
  const key = stringAt(constraint, "topologyKey", "");
  return [...nodeLabelWarning(key, (reason) => `${path}.topologyKey: ${key} is ${reason}`), ...selectorWarnings(constraint, path)];
}

function selectorWarnings(term: Fields, path: string): readonly string[] {
  return isUnset(term["labelSelector"]) ? [`${path}.labelSelector: a null labelSelector results in matching no pod`] : [];
}

function podAffinityWarnings(affinity: Fields, path: string): readonly string[] {
  return [
    ...listAt(affinity, required).flatMap((term, index) => selectorWarnings(term, `${path}.${required}[${index}]`)),
    ...listAt(affinity, preferred).flatMap((term, index) =>
      selectorWarnings(fieldsAt(term, "podAffinityTerm"), `${path}.${preferred}[${index}].podAffinityTerm`),
    ),
  ];
}

function duplicates(items: readonly Fields[], field: string, path: string): readonly string[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const value = stringAt(item, field, "");
    if (seen.has(value)) return [`${path}[${index}].${field}: duplicate ${field} ${JSON.stringify(value)}`];
    seen.add(value);
    return [];
  });
}
