/** Conditions of rules whose reason is in another object than the one that differs. */
import { isFields, isKubeObject, listAt, mapAt, stringAt, type Fields, type KubeObject } from "../../../src/core/object/index.ts";
import type { StateDifference } from "./state-difference.ts";
import type { StepStates } from "./difference-rule.ts";
import type { FleetState } from "./recorded-scenario.ts";

const triggerLabel = "eventtrigger.lib.projectsveltos.io/eventtriggername";
const sourceLabel = "eventtrigger.lib.projectsveltos.io/eventreportname";

export function ofKind(state: FleetState, kind: string, cluster = "management"): readonly KubeObject[] {
  return (state[cluster] ?? []).filter((object) => object.kind === kind);
}

/** The object of a difference on both sides. */
export function sidesOf({ cluster, kind, name }: StateDifference, { recorded, got }: StepStates): { their?: KubeObject; our?: KubeObject } {
  const isIt = ({ metadata }: KubeObject) =>
    (metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`) === name;
  const [their, our] = [recorded, got].map((state) => ofKind(state, kind, cluster).find(isIt));
  return { ...(their !== undefined && { their }), ...(our !== undefined && { our }) };
}

/** The feature of a ClusterSummary that a path below `status.featureSummaries` addresses, on both sides. */
export function featuresOf(difference: StateDifference, states: StepStates): { readonly their: Fields; readonly our: Fields } {
  const [, id] = /^status\.featureSummaries\[(\w+)\]/.exec(difference.path) ?? [];
  const { their, our } = sidesOf(difference, states);
  const [one = {}, other = {}] = [their, our].map((object) =>
    listAt(object, "status.featureSummaries").find((feature) => feature["featureID"] === id),
  );
  return { their: one, our: other };
}

export function hasFailed(summary: KubeObject): boolean {
  return listAt(summary, "status.featureSummaries").some((feature) => stringAt(feature, "failureMessage", "") !== "");
}

/** The ClusterSummaries of a profile. */
export function summariesOf(state: FleetState, profile: string): readonly KubeObject[] {
  return ofKind(state, "ClusterSummary").filter(({ metadata }) => (metadata.ownerReferences ?? []).some(({ name }) => name === profile));
}

/** Whether other recorded objects show that a trigger fails, although Sveltos' status of it says Provisioned. */
export function failsInRecord(trigger: KubeObject, { recorded }: StepStates): boolean {
  const source = stringAt(trigger, "spec.eventSourceName", "");
  const isSource = ({ metadata }: KubeObject) => metadata.name === source;
  if (!ofKind(recorded, "EventSource").some(isSource)) return true;
  const summaries = ofKind(recorded, "ClusterSummary").filter(({ metadata }) => metadata.labels?.[triggerLabel] === trigger.metadata.name);
  const reports = Object.keys(recorded).flatMap((cluster) => ofKind(recorded, "EventReport", cluster));
  const isUndelivered = (report: KubeObject) =>
    stringAt(report, "spec.eventSourceName") === source && stringAt(report, "status.phase") === "WaitingForDelivery";
  return summaries.some(hasFailed) || reports.some(isUndelivered);
}

/** Whether a trigger of this EventSource fails here too, or works here where quotes break it in Sveltos. */
export function hasFailingTrigger(source: string, states: StepStates): boolean {
  const triggers = ofKind(states.got, "EventTrigger").filter((trigger) => stringAt(trigger, "spec.eventSourceName") === source);
  const isFailing = triggers.some((trigger) => listAt(trigger, "status.clusterInfo").some(({ status }) => status === "Failed"));
  const profiles = ofKind(states.got, "ClusterProfile").filter(({ metadata }) => metadata.labels?.[sourceLabel] === source);
  return isFailing || profiles.some((profile) => isOfQuotedTemplate(profile, states));
}

/** EventSources whose script fails on some object here. In Sveltos such an EventSource is no longer evaluated. */
function sourcesThatFail({ got }: StepStates): ReadonlySet<string> {
  const failing = ofKind(got, "EventSource").filter((source) =>
    listAt(source, "status.clusterInfo").some((info) => listAt(info, "failures").length > 0),
  );
  return new Set(failing.map(({ metadata }) => metadata.name));
}

/** Whether an object is a report of an EventSource that fails on some object, or generated from one. */
export function isOfFailingSource(object: KubeObject | undefined, states: StepStates): boolean {
  if (object === undefined) return false;
  const failing = sourcesThatFail(states);
  if (object.kind === "EventReport" || object.kind === "EventTrigger") return failing.has(stringAt(object, "spec.eventSourceName", ""));
  return failing.has(generatedBy(object, states)?.metadata.labels?.[sourceLabel] ?? "");
}

/** Whether an object comes from a template that Sveltos cannot render because of quotes, in its text or in its result. */
export function isOfQuotedTemplate(object: KubeObject | undefined, states: StepStates): boolean {
  const generated = object === undefined ? undefined : generatedBy(object, states);
  if (generated === undefined) return false;
  const { labels = {} } = generated.metadata;
  const content = contentOf(generated, states);
  const template = ofKind(states.got, "ConfigMap").find(
    ({ metadata }) =>
      metadata.name === labels["eventtrigger.lib.projectsveltos.io/refname"] &&
      metadata.namespace === labels["eventtrigger.lib.projectsveltos.io/refnamespace"],
  );
  if (template === undefined || content === undefined) return false;
  const written = Object.values(mapAt(template, "data")).join("\n");
  return /\{\{[^}]*"[^}]*\}\}/.test(written) || quotesIn(Object.values(mapAt(content, "data")).join("\n")) > quotesIn(written);
}

function quotesIn(text: string): number {
  return text.split('"').length - 1;
}

function contentOf(generated: KubeObject, { got }: StepStates): KubeObject | undefined {
  if (generated.kind === "ConfigMap") return generated;
  const [ref] = listAt(generated, "spec.policyRefs");
  return ofKind(got, "ConfigMap").find(({ metadata }) => metadata.name === ref?.["name"] && metadata.namespace === ref["namespace"]);
}

/** The object with a trigger's labels that another one comes from: itself, or the content that a deployed object is in. */
function generatedBy(object: KubeObject, { got }: StepStates): KubeObject | undefined {
  if (object.metadata.labels?.[triggerLabel] !== undefined) {
    if (object.kind !== "ClusterSummary") return object;
    const [owner] = object.metadata.ownerReferences ?? [];
    return ofKind(got, "ClusterProfile").find(({ metadata }) => metadata.name === owner?.name);
  }
  const reference = object.metadata.labels?.["projectsveltos.io/reference-name"];
  return ofKind(got, "ConfigMap").find(({ metadata }) => metadata.name === reference && metadata.labels?.[triggerLabel] !== undefined);
}

/** Whether all that a ClusterConfiguration has beyond the record belongs to such profiles. */
export function isEntryOf(
  { path, recorded }: StateDifference,
  states: StepStates,
  isSuch: (profile: KubeObject, states: StepStates) => boolean,
): boolean {
  const [, name] = /^(?:metadata\.ownerReferences|status\.clusterProfileResources)\[(?:ClusterProfile\/)?([^\]]+)\]$/.exec(path) ?? [];
  const profiles = ofKind(states.got, "ClusterProfile").filter(({ metadata }) => path === "" || metadata.name === name);
  return recorded === undefined && profiles.length > 0 && profiles.every((profile) => isSuch(profile, states));
}

/** Whether a list of Features has no resources and no charts. */
export function listsNothing(features: unknown): boolean {
  const list = Array.isArray(features) ? features : [features];
  return list.every((feature) => isFields(feature) && Object.keys(feature).every((key) => key === "featureID"));
}

/** Our object, where a difference is about the object as a whole. */
export function ourObject({ got }: StateDifference): KubeObject | undefined {
  return isKubeObject(got) ? got : undefined;
}

/** Whether the record reports a conflict of a profile or a ClusterSummary. */
function isConflicted(object: KubeObject | undefined, { recorded }: StepStates): boolean {
  const summaries = object?.kind === "ClusterProfile" ? summariesOf(recorded, object.metadata.name) : [object];
  return summaries.some((summary) => listAt(summary, "status.featureSummaries").some(isConflict));
}

function isConflict(feature: Fields): boolean {
  return stringAt(feature, "failureMessage", "").includes("currently deployed because of");
}

/** Whether a deployed object belongs to a profile in conflict, and did before the step. */
export function isKeptInConflict({ cluster, got }: StateDifference, states: StepStates): boolean {
  return isKubeObject(got) && isKept({ cluster, object: got }, states);
}

function isKept({ cluster, object }: Located, { recorded, before, got }: StepStates): boolean {
  const owner = annotation(object, "owner-name");
  const isIt = ({ kind, metadata }: KubeObject) =>
    kind === object.kind && metadata.name === object.metadata.name && metadata.namespace === object.metadata.namespace;
  const earlier = (before[cluster] ?? []).find(isIt);
  const profile = ofKind(recorded, "ClusterProfile").find(({ metadata }) => metadata.name === owner);
  return owner !== undefined && annotation(earlier, "owner-name") === owner && isConflicted(profile, { recorded, before, got });
}

/** Whether what is listed beyond the record is kept by a profile in conflict. */
export function isOfWhatIsKept(difference: StateDifference, states: StepStates): boolean {
  const cluster = stringAt(sidesOf(difference, states).our, "metadata.name", "").replace(/^.*-/, "");
  const kept = (states.got[cluster] ?? []).filter((object) => isKept({ cluster, object }, states));
  if (difference.kind === "ClusterSummary") return kept.length > 0 && isConflicted(sidesOf(difference, states).their, states);
  const names = new Set(kept.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ""}/${metadata.name}`));
  const listed = resourcesIn(difference.got);
  return (
    listed.length > 0 && listed.every(({ kind, namespace = "", name }) => names.has(`${String(kind)} ${String(namespace)}/${String(name)}`))
  );
}

type Located = { readonly cluster: string; readonly object: KubeObject };

/** The resources in a list of Features, in one Feature, in its list, or in an item of it. */
function resourcesIn(value: unknown): readonly Fields[] {
  if (Array.isArray(value)) return value.flatMap(resourcesIn);
  if (!isFields(value)) return [];
  return "featureID" in value ? resourcesIn(value["resources"]) : [value];
}

/** Whether two messages share at least half of the words of the recorded reason, which is last in Go's errors. */
export function isSameReason(recorded: string, got: string): boolean {
  const withoutObject = recorded.replace(/'\{.*\}'/s, "").replace(/^.*Err: /s, "");
  const reason = withoutObject.split(/: (?=[^:]*$)/).at(-1) ?? "";
  const words = wordsIn(reason);
  const said = new Set(wordsIn(got));
  return words.filter((word) => said.has(word)).length * 2 >= words.length;
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\w./-]+/g) ?? [];
}

/** The heading and the changed lines of a diff, without those about ownership. */
export function changesIn(message: string): string {
  const changed = message.split("\n").filter((line) => /^[+-]/.test(line) && !/^[+-]\s+projectsveltos\.io\//.test(line));
  return changed.join("\n").replace(/\n?[+-]\s+ownerReferences:(\n[+-]\s+(- apiVersion|kind|name|uid): .*)+/, "");
}

/** Whether our annotations name the owners of the record's ownerReferences. */
export function isOwnershipAnnotated(difference: StateDifference, states: StepStates): boolean {
  const { their, our } = sidesOf(difference, states);
  return isOwner(their, "kind", annotation(our, "owner-kind")) && isOwner(their, "name", annotation(our, "owner-name"));
}

/** Whether an owner annotation agrees with the record's labels and ownerReferences. */
export function isTrueOwnership(difference: StateDifference, states: StepStates): boolean {
  const { their } = sidesOf(difference, states);
  const { got } = difference;
  const name = difference.path.slice("metadata.annotations.projectsveltos.io/".length);
  switch (name) {
    case "owner-kind":
      return isOwner(their, "kind", got);
    case "owner-name":
      return isOwner(their, "name", got);
    case "owner-namespace":
      return isOwner(their, "kind", "Profile") && got !== "";
    case "reference-tier":
      return /^\d+$/.test(String(got));
    case "clustersummary":
      return String(got).endsWith(`-${difference.cluster}`);
    case "deploymenttype":
      return got === "Remote";
    default:
      return got === their?.metadata.labels?.[`projectsveltos.io/${name}`];
  }
}

/**
 * Whether the record's ownerReferences agree. A deployed object has one owner, though references to previous ones may be left;
 * an EventSource belongs to all triggers that it names.
 */
function isOwner(their: KubeObject | undefined, field: "kind" | "name", annotated: unknown): boolean {
  const owners = new Set((their?.metadata.ownerReferences ?? []).map((reference) => reference[field]));
  return their?.kind === "EventSource"
    ? annotated === [...owners].toSorted().join(",")
    : typeof annotated === "string" && owners.has(annotated);
}

function annotation(object: KubeObject | undefined, name: string): string | undefined {
  return object?.metadata.annotations?.[`projectsveltos.io/${name}`];
}
