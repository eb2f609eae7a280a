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
  /** Undefined if it is missing or cannot be read: then nothing changes. */
  readonly report: Pick<EventReport, "eventSource" | "matches"> | undefined;
  /** ClusterProfiles, ConfigMaps and Secrets of the management cluster. Objects that the trigger has not generated for this cluster are ignored. */
  readonly existing: readonly KubeObject[];
  /** The live object of a reference. `referencesOf` lists the references that will be looked up. */
  readonly find: (reference: HubReference) => KubeObject | undefined;
};

/** The dependencies of `instantiate`. `random` gives numbers from 0 up to, but not including, 1. */
export type InstantiateEnvironment = {
  readonly templates: EventTemplates;
  readonly random: () => number;
  /** Skips rendering of matching objects that have not changed: one cache for each trigger and cluster. Default: none. */
  readonly cache?: InstantiationCache;
};

/** A problem and, with oneForEvent, the matching object that it concerns. */
export type EventProblem = Problem & { readonly match?: ObjectRef };

export type Instantiation = {
  /** The writes to the management cluster, in this order. */
  readonly changes: readonly DesiredChange[];
  /** Objects to prune in a later pass, once no profile uses them. */
  readonly waiting: readonly ObjectRef[];
  /** Existing objects of an occurrence with a problem stay as they are. */
  readonly problems: readonly EventProblem[];
  /** Every reference that was looked up: a change of one of these objects may change the result. */
  readonly references: readonly HubReference[];
  /** The names of the profiles that are desired, or retained because of a problem. */
  readonly profiles: readonly string[];
};

/** Computes the changes in the management cluster for a trigger and the EventReport of one cluster. */
export function instantiate(input: InstantiateInput, environment: InstantiateEnvironment): Instantiation {
  const { trigger, cluster, report } = input;
  const existing = generatedFor(trigger.metadata.name, cluster, input.existing);
  if (report === undefined) return { changes: [], waiting: [], problems: [], references: [], profiles: profilesIn(existing) };
  const lookedUp = new Map<string, HubReference>();
  const context = contextFor(input, environment, existing, lookedUp);
  const occurrences = occurrencesOf(trigger, cluster, report.eventSource, report.matches);
  const { desired, problems, failed } = instantiateAll(occurrences, context, existing, environment.cache);
  const isRetained = isRetainedFor(failed);
  return {
    ...diffGenerated(desired, existing, isRetained),
    problems,
    references: [...lookedUp.values()],
    profiles: [...new Set([...profilesIn(desired), ...profilesIn(existing.filter(isRetained))])].toSorted(),
  };
}

/** Prunes all objects of a trigger for one cluster: the trigger, EventSource or cluster is gone, or no longer matches. */
export function withdrawTrigger(
  trigger: string,
  cluster: ManagedCluster | Pick<ManagedCluster, "type" | "namespace" | "name">,
  existing: readonly KubeObject[],
): Pick<Instantiation, "changes" | "waiting"> {
  return diffGenerated([], generatedFor(trigger, cluster, existing));
}

/** The references that `instantiate` looks up. Names may be templates over the event, so they depend on the report. */
export function referencesOf(input: Omit<InstantiateInput, "find">, environment: InstantiateEnvironment): readonly HubReference[] {
  const { cache: _cache, ...rest } = environment;
  return instantiate({ ...input, find: () => undefined }, rest).references;
}

/** The name of a trigger's EventSource for a cluster. It may be a template over the cluster. */
export function eventSourceFor(
  { eventSourceName, apiGeneration }: Pick<EventTrigger, "eventSourceName" | "apiGeneration">,
  { object }: Pick<ManagedCluster, "object">,
  templates: EventTemplates,
): { readonly name: string } | { readonly problem: Problem } {
  const rendered = templates.render("spec.eventSourceName", eventSourceName, () => clusterTemplateData(object), {
    lenient: apiGeneration !== "C",
  });
  return rendered.state === "rendered" ? { name: rendered.text.trim() } : { problem: rendered.problem };
}

/** A problem as a line of a status: `Service default/web: spec.policyRefs[0]: …`. */
export function lineOfProblem({ match, ...problem }: EventProblem): string {
  return match === undefined ? lineFor(problem) : `${titleOf(match)}: ${lineFor(problem)}`;
}

function contextFor(
  { trigger, cluster, find }: InstantiateInput,
  { templates, random }: InstantiateEnvironment,
  existing: readonly KubeObject[],
  lookedUp: Map<string, HubReference>,
): InstantiationContext {
  const ownKeys = new Set(existing.map((object) => keyOf(refOf(object))));
  return {
    trigger,
    cluster,
    templates,
    names: new GeneratedNames(existing, random),
    isOurs: (object) => ownKeys.has(keyOf(refOf(object))),
    find: (reference) => {
      lookedUp.set(`${reference.kind} ${reference.namespace}/${reference.name}`, reference);
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
    const result = cache.get(occurrence, context) ?? instantiateAnew(context, occurrence, existing, cache);
    const occurrenceProblems =
      result.state === "failed" ? result.problems : result.objects.flatMap((object) => nameConflicts(object, desired));
    if (result.state === "instantiated" && occurrenceProblems.length === 0)
      for (const object of result.objects) desired.set(keyOf(refOf(object)), object);
    if (occurrenceProblems.length > 0) failed.push(occurrence);
    problems.push(
      ...occurrenceProblems.map((problem) => ({ ...problem, ...(occurrence.match !== undefined && { match: occurrence.match }) })),
    );
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
  const result = instantiateOccurrence({ ...context, find }, occurrence, existing);
  cache.set(result, { context, occurrence, found });
  return result;
}

/** A name that the user has chosen may be the same for two matching objects: the first one gets it. */
function nameConflicts(object: KubeObject, desired: ReadonlyMap<string, KubeObject>): readonly Problem[] {
  if (!desired.has(keyOf(refOf(object)))) return [];
  const at = object.kind === "ClusterProfile" ? "spec.profileNameFormat" : "nameFormat";
  return [{ at, message: `${object.kind} ${object.metadata.name} is made for another matching object already` }];
}

/** Whether an object belongs to an occurrence that has failed. */
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
