import type { EventTrigger, ManagedCluster } from "../api/index.ts";
import { lineFor, type Problem } from "../../core/fault/index.ts";
import { keyOf, refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { EventReport } from "../report/index.ts";
import { difference, type Change } from "./difference.ts";
import { draft, type Draft } from "./draft.ts";
import type { Reference, Setting } from "./drafting.ts";
import { valueOfCluster } from "./event-value.ts";
import { DraftMemory } from "./memory.ts";
import { Names } from "./names.ts";
import { occurrencesOf, type Occurrence } from "./occurrence.ts";
import { eventKey, generatedFor, labelsOf } from "./origin.ts";
import type { EventTemplates } from "./templates.ts";

export type InstantiateInput = {
  readonly trigger: EventTrigger;
  /** The cluster of the event. */
  readonly cluster: ManagedCluster;
  /** Undefined while it is missing or cannot be read: then nothing is made and nothing goes. */
  readonly report: Pick<EventReport, "eventSource" | "matches"> | undefined;
  /** ClusterProfiles, ConfigMaps and Secrets of the management cluster; of those only the trigger's own for this cluster count. */
  readonly existing: readonly KubeObject[];
  /** The object that is referred to, as it is in the management cluster. See `referencesOf` for what is asked. */
  readonly find: (reference: Reference) => KubeObject | undefined;
};

/** What comes from outside. `random` answers numbers from 0 up to, but not including, 1. */
export type InstantiateWorld = {
  readonly templates: EventTemplates;
  readonly random: () => number;
  /** Makes passes over many matching objects cheap: one for each trigger and cluster. Default: none. */
  readonly memory?: DraftMemory;
};

/** Something that is wrong, and the matching object in question where there is a profile for each. */
export type EventProblem = Problem & { readonly match?: ObjectRef };

export type Instantiation = {
  /** What to do in the management cluster, in this order. */
  readonly changes: readonly Change[];
  /** What goes in a later pass, once the profiles that use it are gone or changed. */
  readonly waiting: readonly ObjectRef[];
  /** For what is named here, all that exists stays as it is. */
  readonly problems: readonly EventProblem[];
  /** All that was asked of `find`: when one of these changes, the outcome may. */
  readonly references: readonly Reference[];
  /** The names of the profiles that are to exist, or stay because of a problem. */
  readonly profiles: readonly string[];
};

/** What is to be done in the management cluster for what a cluster reports to a trigger. */
export function instantiate(input: InstantiateInput, world: InstantiateWorld): Instantiation {
  const { trigger, cluster, report } = input;
  const existing = generatedFor(trigger.metadata.name, cluster, input.existing);
  if (report === undefined) return { changes: [], waiting: [], problems: [], references: [], profiles: profilesIn(existing) };
  const asked = new Map<string, Reference>();
  const setting = settingFor(input, world, existing, asked);
  const occurrences = occurrencesOf(trigger, cluster, report.eventSource, report.matches);
  const { desired, problems, failed } = draftAll(occurrences, setting, existing, world.memory);
  const stays = keeperOf(failed);
  return {
    ...difference(desired, existing, stays),
    problems,
    references: [...asked.values()],
    profiles: [...new Set([...profilesIn(desired), ...profilesIn(existing.filter(stays))])].toSorted(),
  };
}

/** What has to go when the trigger, its EventSource or the cluster goes, or the cluster no longer matches. */
export function withdraw(
  trigger: string,
  cluster: ManagedCluster | Pick<ManagedCluster, "type" | "namespace" | "name">,
  existing: readonly KubeObject[],
): Pick<Instantiation, "changes" | "waiting"> {
  return difference([], generatedFor(trigger, cluster, existing));
}

/** What `instantiate` would ask `find` for. Names may be templates over the event, so they are known only with a report. */
export function referencesOf(input: Omit<InstantiateInput, "find">, world: InstantiateWorld): readonly Reference[] {
  const { memory: _memory, ...rest } = world;
  return instantiate({ ...input, find: () => undefined }, rest).references;
}

/** The EventSource that a trigger means in a cluster: its name may be a template over the cluster. */
export function eventSourceFor(
  { eventSourceName, generation }: Pick<EventTrigger, "eventSourceName" | "generation">,
  { object }: Pick<ManagedCluster, "object">,
  templates: EventTemplates,
): { readonly name: string } | { readonly problem: Problem } {
  const rendered = templates.render("spec.eventSourceName", eventSourceName, () => valueOfCluster(object), { lenient: generation !== "C" });
  return rendered.state === "rendered" ? { name: rendered.text.trim() } : { problem: rendered.problem };
}

/** A problem as a line for statuses: `Service default/web: spec.policyRefs[0]: …`. */
export function lineOfProblem({ match, ...problem }: EventProblem): string {
  return match === undefined ? lineFor(problem) : `${titleOf(match)}: ${lineFor(problem)}`;
}

function settingFor(
  { trigger, cluster, find }: InstantiateInput,
  { templates, random }: InstantiateWorld,
  existing: readonly KubeObject[],
  asked: Map<string, Reference>,
): Setting {
  const ours = new Set(existing.map((object) => keyOf(refOf(object))));
  return {
    trigger,
    cluster,
    templates,
    names: new Names(existing, random),
    isOurs: (object) => ours.has(keyOf(refOf(object))),
    find: (reference) => {
      asked.set(`${reference.kind} ${reference.namespace}/${reference.name}`, reference);
      return find(reference);
    },
  };
}

type Drafted = {
  readonly desired: readonly KubeObject[];
  readonly problems: readonly EventProblem[];
  readonly failed: readonly Occurrence[];
};

function draftAll(
  occurrences: readonly Occurrence[],
  setting: Setting,
  existing: readonly KubeObject[],
  memory = new DraftMemory(),
): Drafted {
  const desired = new Map<string, KubeObject>();
  const problems: EventProblem[] = [];
  const failed: Occurrence[] = [];
  for (const occurrence of occurrences) {
    const outcome = memory.recall(occurrence, setting) ?? draftAnew(setting, occurrence, existing, memory);
    const troubles = outcome.state === "failed" ? outcome.problems : outcome.objects.flatMap((object) => takenBy(object, desired));
    if (outcome.state === "made" && troubles.length === 0) for (const object of outcome.objects) desired.set(keyOf(refOf(object)), object);
    if (troubles.length > 0) failed.push(occurrence);
    problems.push(...troubles.map((problem) => ({ ...problem, ...(occurrence.match !== undefined && { match: occurrence.match }) })));
  }
  memory.endPass();
  return { desired: [...desired.values()], problems, failed };
}

function draftAnew(setting: Setting, occurrence: Occurrence, existing: readonly KubeObject[], memory: DraftMemory): Draft {
  const found: [Reference, KubeObject | undefined][] = [];
  const find: Setting["find"] = (reference) => {
    const object = setting.find(reference);
    found.push([reference, object]);
    return object;
  };
  const made = draft({ ...setting, find }, occurrence, existing);
  memory.keep(made, { setting, occurrence, found });
  return made;
}

/** Names that users choose may be the same for two matching objects: the first one has it. */
function takenBy(object: KubeObject, desired: ReadonlyMap<string, KubeObject>): readonly Problem[] {
  if (!desired.has(keyOf(refOf(object)))) return [];
  const at = object.kind === "ClusterProfile" ? "spec.profileNameFormat" : "nameFormat";
  return [{ at, message: `${object.kind} ${object.metadata.name} is made for another matching object already` }];
}

/** What stays because its occurrence could not be made anew. */
function keeperOf(failed: readonly Occurrence[]): (object: KubeObject) => boolean {
  if (failed.some(({ match }) => match === undefined)) return () => true;
  const keys = new Set(failed.map(({ origin }) => eventKey(labelsOf(origin))));
  return ({ metadata }) => keys.has(eventKey(metadata.labels));
}

function profilesIn(objects: readonly KubeObject[]): readonly string[] {
  return objects.flatMap(({ kind, metadata }) => (kind === "ClusterProfile" ? [metadata.name] : [])).toSorted();
}

function titleOf({ kind, namespace, name }: ObjectRef): string {
  return namespace === "" ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
