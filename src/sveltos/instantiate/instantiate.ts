import type { EventTrigger, ManagedCluster } from "../api/index.ts";
import { lineFor, type Problem } from "../../core/fault/index.ts";
import { keyOf, refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { EventReport } from "../report/index.ts";
import { diffGenerated, type DesiredChange } from "./diff-generated.ts";
import { instantiateOccurrence, type OccurrenceResult } from "./instantiate-occurrence.ts";
import type { HubReference, InstantiationContext } from "./occurrence-builder.ts";
import { clusterTemplateData } from "./template-data.ts";
import { InstantiationCache } from "./instantiation-cache.ts";
import { GeneratedNames } from "./generated-names.ts";
import { occurrencesOf, type Occurrence } from "./occurrence.ts";
import { eventKey, generatedFor, profileLabels } from "./origin.ts";
import type { EventTemplates } from "./event-templates.ts";

export type InstantiateInput = {
  readonly trigger: EventTrigger;
  /** The cluster of the event. */
  readonly cluster: ManagedCluster;
  /** Undefined while it is missing or cannot be read: then nothing is made and nothing goes. */
  readonly report: Pick<EventReport, "eventSource" | "matches"> | undefined;
  /** ClusterProfiles, ConfigMaps and Secrets of the management cluster; of those only the trigger's own for this cluster count. */
  readonly existing: readonly KubeObject[];
  /** The object that is referred to, as it is in the management cluster. See `referencesOf` for what is asked. */
  readonly find: (reference: HubReference) => KubeObject | undefined;
};

/** What comes from outside. `random` answers numbers from 0 up to, but not including, 1. */
export type InstantiateEnvironment = {
  readonly templates: EventTemplates;
  readonly random: () => number;
  /** Makes passes over many matching objects cheap: one for each trigger and cluster. Default: none. */
  readonly cache?: InstantiationCache;
};

/** Something that is wrong, and the matching object in question where there is a profile for each. */
export type EventProblem = Problem & { readonly match?: ObjectRef };

export type Instantiation = {
  /** What to do in the management cluster, in this order. */
  readonly changes: readonly DesiredChange[];
  /** What goes in a later pass, once the profiles that use it are gone or changed. */
  readonly waiting: readonly ObjectRef[];
  /** For what is named here, all that exists stays as it is. */
  readonly problems: readonly EventProblem[];
  /** All that was asked of `find`: when one of these changes, the outcome may. */
  readonly references: readonly HubReference[];
  /** The names of the profiles that are to exist, or stay because of a problem. */
  readonly profiles: readonly string[];
};

/** What is to be done in the management cluster for what a cluster reports to a trigger. */
export function instantiate(input: InstantiateInput, environment: InstantiateEnvironment): Instantiation {
  const { trigger, cluster, report } = input;
  const existing = generatedFor(trigger.metadata.name, cluster, input.existing);
  if (report === undefined) return { changes: [], waiting: [], problems: [], references: [], profiles: profilesIn(existing) };
  const asked = new Map<string, HubReference>();
  const context = contextFor(input, environment, existing, asked);
  const occurrences = occurrencesOf(trigger, cluster, report.eventSource, report.matches);
  const { desired, problems, failed } = instantiateAll(occurrences, context, existing, environment.cache);
  const stays = isRetainedFor(failed);
  return {
    ...diffGenerated(desired, existing, stays),
    problems,
    references: [...asked.values()],
    profiles: [...new Set([...profilesIn(desired), ...profilesIn(existing.filter(stays))])].toSorted(),
  };
}

/** What has to go when the trigger, its EventSource or the cluster goes, or the cluster no longer matches. */
export function withdrawTrigger(
  trigger: string,
  cluster: ManagedCluster | Pick<ManagedCluster, "type" | "namespace" | "name">,
  existing: readonly KubeObject[],
): Pick<Instantiation, "changes" | "waiting"> {
  return diffGenerated([], generatedFor(trigger, cluster, existing));
}

/** What `instantiate` would ask `find` for. Names may be templates over the event, so they are known only with a report. */
export function referencesOf(input: Omit<InstantiateInput, "find">, environment: InstantiateEnvironment): readonly HubReference[] {
  const { cache: _memory, ...rest } = environment;
  return instantiate({ ...input, find: () => undefined }, rest).references;
}

/** The EventSource that a trigger means in a cluster: its name may be a template over the cluster. */
export function eventSourceFor(
  { eventSourceName, generation }: Pick<EventTrigger, "eventSourceName" | "generation">,
  { object }: Pick<ManagedCluster, "object">,
  templates: EventTemplates,
): { readonly name: string } | { readonly problem: Problem } {
  const rendered = templates.render("spec.eventSourceName", eventSourceName, () => clusterTemplateData(object), {
    lenient: generation !== "C",
  });
  return rendered.state === "rendered" ? { name: rendered.text.trim() } : { problem: rendered.problem };
}

/** A problem as a line for statuses: `Service default/web: spec.policyRefs[0]: …`. */
export function lineOfProblem({ match, ...problem }: EventProblem): string {
  return match === undefined ? lineFor(problem) : `${titleOf(match)}: ${lineFor(problem)}`;
}

function contextFor(
  { trigger, cluster, find }: InstantiateInput,
  { templates, random }: InstantiateEnvironment,
  existing: readonly KubeObject[],
  asked: Map<string, HubReference>,
): InstantiationContext {
  const ours = new Set(existing.map((object) => keyOf(refOf(object))));
  return {
    trigger,
    cluster,
    templates,
    names: new GeneratedNames(existing, random),
    isOurs: (object) => ours.has(keyOf(refOf(object))),
    find: (reference) => {
      asked.set(`${reference.kind} ${reference.namespace}/${reference.name}`, reference);
      return find(reference);
    },
  };
}

type InstantiatedAll = {
  readonly desired: readonly KubeObject[];
  readonly problems: readonly EventProblem[];
  readonly failed: readonly Occurrence[];
};

function instantiateAll(
  occurrences: readonly Occurrence[],
  context: InstantiationContext,
  existing: readonly KubeObject[],
  cache = new InstantiationCache(),
): InstantiatedAll {
  const desired = new Map<string, KubeObject>();
  const problems: EventProblem[] = [];
  const failed: Occurrence[] = [];
  for (const occurrence of occurrences) {
    const outcome = cache.get(occurrence, context) ?? instantiateAnew(context, occurrence, existing, cache);
    const failures = outcome.state === "failed" ? outcome.problems : outcome.objects.flatMap((object) => nameConflicts(object, desired));
    if (outcome.state === "made" && failures.length === 0) for (const object of outcome.objects) desired.set(keyOf(refOf(object)), object);
    if (failures.length > 0) failed.push(occurrence);
    problems.push(...failures.map((problem) => ({ ...problem, ...(occurrence.match !== undefined && { match: occurrence.match }) })));
  }
  cache.endPass();
  return { desired: [...desired.values()], problems, failed };
}

function instantiateAnew(
  context: InstantiationContext,
  occurrence: Occurrence,
  existing: readonly KubeObject[],
  cache: InstantiationCache,
): OccurrenceResult {
  const found: [HubReference, KubeObject | undefined][] = [];
  const find: InstantiationContext["find"] = (reference) => {
    const object = context.find(reference);
    found.push([reference, object]);
    return object;
  };
  const made = instantiateOccurrence({ ...context, find }, occurrence, existing);
  cache.set(made, { context, occurrence, found });
  return made;
}

/** Names that users choose may be the same for two matching objects: the first one has it. */
function nameConflicts(object: KubeObject, desired: ReadonlyMap<string, KubeObject>): readonly Problem[] {
  if (!desired.has(keyOf(refOf(object)))) return [];
  const at = object.kind === "ClusterProfile" ? "spec.profileNameFormat" : "nameFormat";
  return [{ at, message: `${object.kind} ${object.metadata.name} is made for another matching object already` }];
}

/** What stays because its occurrence could not be made anew. */
function isRetainedFor(failed: readonly Occurrence[]): (object: KubeObject) => boolean {
  if (failed.some(({ match }) => match === undefined)) return () => true;
  const keys = new Set(failed.map(({ origin }) => eventKey(profileLabels(origin))));
  return ({ metadata }) => keys.has(eventKey(metadata.labels));
}

function profilesIn(objects: readonly KubeObject[]): readonly string[] {
  return objects.flatMap(({ kind, metadata }) => (kind === "ClusterProfile" ? [metadata.name] : [])).toSorted();
}

function titleOf({ kind, namespace, name }: ObjectRef): string {
  return namespace === "" ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
